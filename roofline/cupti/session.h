// Counts work on one device with CUPTI's range profiler, in as many passes as its counters need.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/cupti/functions.h"
#include "roofline/cupti/host_api.h"
#include "roofline/recorder.h"

namespace roofline::cupti {

/// Profiles the context during its lifetime. The destructor ends everything that was begun, also
/// after an exception. Every call throws RecorderError if CUPTI refuses.
class RangeProfiler {
 public:
  RangeProfiler(const Functions& functions, CUcontext context);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  /// Memory for the values of that many ranges, for the next configure(). It must outlive the
  /// profiler's use of it.
  Bytes counter_data(const std::vector<std::string>& names, std::size_t ranges = 1) const;
  /// Configures one range that the user sets and replays.
  void configure(const Bytes& config, Bytes& counter_data);
  /// Configures each kernel between start() and stop() as a range, up to a limit. If one pass is
  /// not enough, CUPTI replays the kernels: `replayed`.
  void configure_kernels(const Bytes& config, Bytes& counter_data, std::size_t ranges,
                         bool replayed);
  /// Runs the work as one range. Returns true for the last pass.
  bool pass(const std::string& name, const std::function<void()>& work);
  void start();
  /// Returns true if all passes are done.
  bool stop();
  /// Decodes the values of all passes into the counter data. Returns the number of dropped ranges.
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

/// The number of ranges with values in the counter data.
std::size_t number_of_ranges(const Functions& functions, const Bytes& counter_data);

/// Attaches CUPTI's profiler to the driver, and detaches it at the end, so that uncounted work runs
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

/// Throws RecorderError with the reason if the device cannot be profiled at all.
void check_device(const Functions& functions, CUdevice device);

/// The chip's name, such as "GH100".
std::string chip_name(const Functions& functions, CUdevice device);

/// The counters that the device can collect in its current state.
Bytes counter_availability(const Functions& functions, CUcontext context);

/// The place to count, and the driver functions needed for it, which tests replace.
struct Session {
  const Functions& functions;
  CUcontext context;
  std::function<void()> synchronize;           ///< waits for the context's work
  std::function<CUcontext()> current_context;  ///< context of the calling thread
};

/// Runs the work once per pass and evaluates the counts.
Recording count(const Session& session, const std::string& chip, const Plan& plan,
                const Work& work);

/// Counts each kernel separately. Throws RecorderError if CUPTI recorded another number of kernels
/// than were launched.
KernelRecording count_kernels(const Session& session, const std::string& chip, const Plan& plan,
                              const Work& work);

}  // namespace roofline::cupti
