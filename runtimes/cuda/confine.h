// A part of a GPU's multiprocessors: for running on them, and for counting as if on them.
#pragma once

#include <functional>

namespace gpp::cuda {

/// Makes a green context of that many multiprocessors the current one of this thread: what it
/// starts from now on stays on them. Returns how many the driver gave, which rounds up to whole
/// groups (of 8 on Hopper). 0, or all there are: the device's own context again. Contexts stay
/// until the process ends, because libraries may hold things of theirs. Throws std::runtime_error,
/// with the reason: green contexts need driver 550 or later and a toolkit that knows them, and are
/// refused in a process in which CUPTI has counted.
int confine(int multiprocessors);

/// Calls `work` while all other multiprocessors are each held by a block that waits. Such a block
/// asks for all shared memory of a multiprocessor, so no other block finds room beside it. It does
/// no arithmetic and asks for next to no memory: what is counted of the device meanwhile is the
/// work's. (CUPTI counts no green context.)
///
/// No hang: the blocks end by themselves after `seconds`. Work that waits for the whole device, as
/// cudaFree() and cudaDeviceSynchronize() do, goes on then, and std::runtime_error is thrown, as it
/// is where the blocks did not get multiprocessors of their own.
void beside_waiting_blocks(int multiprocessors, double seconds, const std::function<void()>& work);

}  // namespace gpp::cuda
