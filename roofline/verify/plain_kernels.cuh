// The kernels with known counts that HIP can compile, too, because they are not vendor-specific.
#pragma once

#include <cstddef>

#include "roofline/verify/known_answers.h"

namespace roofline::known {

inline constexpr int threads_per_block = 256;
static_assert(chain.threads == threads_per_block && strided_threads == threads_per_block);

inline unsigned blocks_for(std::size_t size) {
  return static_cast<unsigned>((size + threads_per_block - 1) / threads_per_block);
}

__device__ inline std::size_t global_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Profilers show the kernels' names, so these are not in an unnamed namespace.

__global__ void known_daxpy(std::size_t size, double a, const double* __restrict__ x,
                            double* __restrict__ y) {
  const std::size_t i = global_index();
  if (i < size) y[i] = __fma_rn(a, x[i], y[i]);
}

__global__ void known_strided_copy(std::size_t size, const double* __restrict__ from,
                                   double* __restrict__ to) {
  const std::size_t i = global_index();
  if (i < size) to[i] = from[4 * i];
}

// The operands come from memory, because the compiler would compute constants itself.
__global__ void known_dfma(int length, double* out) {
  const double factor = out[0];
  double sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __fma_rn(sum, factor, factor);
  out[global_index()] = sum;
}

__global__ void known_ffma(int length, float* out) {
  const float factor = out[0];
  float sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __fmaf_rn(sum, factor, factor);
  out[global_index()] = sum;
}

__global__ void known_shared(int length, double* out) {
  __shared__ volatile double shared[threads_per_block];
  shared[threadIdx.x] = out[threadIdx.x];
  double sum = 0;
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum += shared[threadIdx.x];
  out[global_index()] = sum;
}

}  // namespace roofline::known
