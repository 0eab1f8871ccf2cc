// Restricts work to a part of a GPU's multiprocessors, for timing or for counting.
#pragma once

#include "runtimes/runtime.h"

namespace gpp::cuda {

/// A runtime that can.
class ConfinableRuntime : public Runtime {
 public:
  /// Makes a green context current in this thread, or the device's own. The driver gives whole
  /// groups (of 8 on Hopper). Contexts exist until the process ends, because libraries may hold
  /// resources in them. Green contexts need driver 550 or later and a recent toolkit, and are
  /// refused after CUPTI has counted in the process.
  int confine(int multiprocessors) const override;

  /// A waiting block on each of the other multiprocessors reserves all shared memory there, so no
  /// other block fits beside it. It does no arithmetic and almost no memory accesses, so the
  /// device's counts are those of the work. (CUPTI cannot count in green contexts.) The blocks end
  /// after `seconds`, so that work that waits for the whole device, as cudaFree() and
  /// cudaDeviceSynchronize() do, cannot hang.
  void beside_waiting_blocks(int multiprocessors, double seconds,
                             const std::function<void()>& work) const override;
};

}  // namespace gpp::cuda
