// Counting the executions of each machine instruction, through CUPTI's SASS metrics.
//
// CUPTI patches the kernels: they take up to some 200 times as long. One session per process; the
// kernels have run before, their modules being loaded under a subscriber (listeners.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/line_recorder.h"

namespace roofline::cupti {

/// Where to count. The profiler is initialized (session.h).
struct SassPlace {
  const Functions& functions;
  CUcontext context = nullptr;
  CUdevice device = 0;
  std::string chip;
  std::function<void()> synchronize;  ///< waits for the context's work
};

/// Counting in a context while it lives. Where the chip refuses to count everything together, the
/// counts of instructions alone, and `lost` says so. Every call throws RecorderError, naming the
/// call that was refused.
class SassCounting {
 public:
  explicit SassCounting(const SassPlace& place);
  ~SassCounting();
  SassCounting(const SassCounting&) = delete;
  SassCounting& operator=(const SassCounting&) = delete;

  /// Waits for the device and returns what was counted since the last call, without cubins.
  CountedCode fetch();
  /// Nothing is counted any more; what was not fetched is lost, which the result says.
  std::vector<std::string> end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Counts what `run` launches, as SassCounting does.
CountedCode count_instructions(const SassPlace& place, const std::function<void()>& run);

}  // namespace roofline::cupti
