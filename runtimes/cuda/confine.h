// Restricts work to a part of a GPU's multiprocessors, for timing or for counting.
#pragma once

#include <functional>

namespace gpp::cuda {

/// Makes a green context with that many multiprocessors current in this thread; work that it starts
/// stays on them. Returns how many the driver gave, rounded up to whole groups (of 8 on Hopper). 0
/// or all restores the device's own context. Contexts exist until the process ends, because
/// libraries may hold resources in them. Throws std::runtime_error with the reason: green contexts
/// need driver 550 or later and a recent toolkit, and are refused after CUPTI has counted in the
/// process.
int confine(int multiprocessors);

/// Calls `work` while a waiting block occupies each of the other multiprocessors. Such a block
/// reserves all shared memory of a multiprocessor, so no other block fits beside it. It does no
/// arithmetic and almost no memory accesses, so the device's counts are those of the work. (CUPTI
/// cannot count in green contexts.)
///
/// It cannot hang, because the blocks end after `seconds`. Work that waits for the whole device, as
/// cudaFree() and cudaDeviceSynchronize() do, then continues, and std::runtime_error is thrown;
/// likewise if the blocks did not get separate multiprocessors.
void beside_waiting_blocks(int multiprocessors, double seconds, const std::function<void()>& work);

}  // namespace gpp::cuda
