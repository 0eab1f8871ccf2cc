// CUDA's error codes as messages for people.
#pragma once

#include <cuda_runtime.h>

namespace gpp::cuda {

/// Throws std::runtime_error when `status` is an error: what was being done, what CUDA said and,
/// for the errors a user can do something about, the remedy.
void check(cudaError_t status, const char* doing);

}  // namespace gpp::cuda
