// CUPTI's range profiler on one context: from enabling to disabling.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/cupti/host_api.h"

namespace roofline::cupti {

/// While one of these lives the context is profiled. Whatever was begun is ended with it, so that
/// an exception leaves nothing open. Every call throws RecorderError when CUPTI refuses.
class RangeProfiler {
 public:
  RangeProfiler(const Functions& functions, CUcontext context);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  /// Room for the values of so many ranges, for the next configure(). It must outlive the
  /// profiler's use of it.
  Bytes counter_data(const std::vector<std::string>& names, std::size_t ranges = 1) const;
  /// One range given by the user, replayed by the user.
  void configure(const Bytes& config, Bytes& counter_data);
  /// Each kernel that runs between start() and stop() is a range, so many at most. Where one pass
  /// is not enough, CUPTI replays it: `replayed`.
  void configure_kernels(const Bytes& config, Bytes& counter_data, std::size_t ranges,
                         bool replayed);
  /// Runs the work as one range. True when it was the last pass.
  bool pass(const std::string& name, const std::function<void()>& work);
  void start();
  /// True where all passes are done.
  bool stop();
  /// Fetches the values of all passes into the counter data. The number of ranges dropped.
  std::size_t decode();

 private:
  void set_config(CUpti_RangeProfiler_SetConfig_Params& params, const Bytes& config,
                  Bytes& counter_data);
  void push(const std::string& name);
  void pop();

  const Functions& functions_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  bool started_ = false;
  bool pushed_ = false;
};

/// The number of ranges whose values are in there.
std::size_t number_of_ranges(const Functions& functions, const Bytes& counter_data);

}  // namespace roofline::cupti
