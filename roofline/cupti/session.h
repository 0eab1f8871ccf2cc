// Counting a piece of work on one device, as often as its counters need passes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/cupti/functions.h"
#include "roofline/cupti/host_api.h"
#include "roofline/recorder.h"

namespace roofline::cupti {

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

/// The same kernel by kernel. Throws RecorderError where CUPTI recorded another number of kernels
/// than were launched.
KernelRecording count_kernels(const Session& session, const std::string& chip, const Plan& plan,
                              const Work& work);

}  // namespace roofline::cupti
