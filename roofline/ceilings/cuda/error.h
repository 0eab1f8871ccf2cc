// CUDA's error codes as exceptions.
#pragma once

#include <cuda_runtime.h>

namespace roofline::gpu {

/// Throws std::runtime_error when `status` is an error: what was being done, what CUDA said, and
/// where a user can do something about it.
void check(cudaError_t status, const char* doing);

}  // namespace roofline::gpu
