// Many additions to each number on a GPU: common code of A and B.
#pragma once

#include <cstddef>

#include "examples/toys/numbers.h"
#include "runtimes/cuda/launch.h"

namespace gpp::toys::cuda {

inline constexpr int threads_per_block = 64;

/// Each thread adds to one number, one addition after another.
static __global__ void __launch_bounds__(threads_per_block) additions_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * threads_per_block + threadIdx.x;
  if (i >= numbers.n) return;
  double x = numbers.b[i];
#pragma unroll 100
  for (int k = 0; k < additions; ++k) x += summand;
  numbers.a[i] = x;
}

/// `shared` is the shared memory in bytes that each block reserves without using it.
inline void add_often(const Numbers& numbers, std::size_t shared) {
  using namespace gpp::cuda;
  launch(
      additions_kernel,
      Shape{blocks_for(static_cast<int>(numbers.n), threads_per_block), threads_per_block, shared},
      numbers);
}

}  // namespace gpp::toys::cuda
