// Counts the executions of each machine instruction with CUPTI's SASS metrics.
//
// CUPTI patches the kernels, which makes them up to 200 times slower. One session per process. The
// kernels ran before, so their modules were loaded under a subscriber (listeners.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/line_recorder.h"

namespace roofline::cupti {

/// The place to count. The profiler is initialized (session.h).
struct SassPlace {
  const Functions& functions;
  CUcontext context = nullptr;
  CUdevice device = 0;
  std::string chip;
  std::function<void()> synchronize;  ///< waits for the context's work
};

/// Counts in a context during its lifetime. If the chip refuses to count everything together, only
/// instructions are counted, and `lost` says so. Every call throws RecorderError with the failed
/// call's name.
class SassCounting {
 public:
  explicit SassCounting(const SassPlace& place);
  ~SassCounting();
  SassCounting(const SassCounting&) = delete;
  SassCounting& operator=(const SassCounting&) = delete;

  /// Waits for the device and returns the counts since the last call, without cubins.
  CountedCode fetch();
  /// Ends counting. Counts that were not fetched are lost; the result says so.
  std::vector<std::string> end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Counts the launches of `run`, as SassCounting does.
CountedCode count_instructions(const SassPlace& place, const std::function<void()>& run);

}  // namespace roofline::cupti
