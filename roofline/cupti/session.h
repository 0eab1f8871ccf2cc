// Counts a piece of work on one device with CUPTI's range profiler, in as many passes as its
// counters need.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/cupti/functions.h"
#include "roofline/cupti/host_api.h"
#include "roofline/recorder.h"

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

/// Hooks CUPTI's profiler into the driver, and takes it out again: work that is not counted runs
/// undisturbed. The context should exist before.
class Profiling {
 public:
  explicit Profiling(const Functions& functions);
  ~Profiling();
  Profiling(const Profiling&) = delete;
  Profiling& operator=(const Profiling&) = delete;

 private:
  const Functions& functions_;
};

/// Throws RecorderError, with the reason, where the device cannot be profiled at all.
void check_device(const Functions& functions, CUdevice device);

/// "GH100".
std::string chip_name(const Functions& functions, CUdevice device);

/// The counters that the device can collect in its present state.
Bytes counter_availability(const Functions& functions, CUcontext context);

/// Where to count, and what the driver is asked meanwhile: a test asks none.
struct Session {
  const Functions& functions;
  CUcontext context;
  std::function<void()> synchronize;           ///< waits for the context's work
  std::function<CUcontext()> current_context;  ///< of the calling thread
};

/// Runs the work once per pass and evaluates what was counted.
Recording count(const Session& session, const std::string& chip, const Plan& plan,
                const Work& work);

/// Counts each kernel by itself. Throws RecorderError where CUPTI recorded another number of
/// kernels than were launched.
KernelRecording count_kernels(const Session& session, const std::string& chip, const Plan& plan,
                              const Work& work);

}  // namespace roofline::cupti
