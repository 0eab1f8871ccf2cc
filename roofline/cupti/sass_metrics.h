// Counting the executions of each machine instruction, through CUPTI's SASS metrics.
//
// CUPTI patches the kernels: they take up to some 200 times as long. One session per process; the
// kernels have run before, their modules being loaded under a subscriber (listeners.h).
#pragma once

#include <functional>
#include <string>

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

/// Leaves CountedCode::cubins empty. Where the chip refuses to count everything together, the
/// counts of instructions alone, and `lost` says so. Throws RecorderError, naming the call that was
/// refused.
CountedCode count_instructions(const SassPlace& place, const std::function<void()>& run);

}  // namespace roofline::cupti
