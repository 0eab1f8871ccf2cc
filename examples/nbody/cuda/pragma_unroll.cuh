// The published step `unroll` in either precision: `block` with one pragma.
#pragma once

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

/// Does the same as block_kernel with an unrolled tile loop. The last tile may be shorter.
template <class Real>
__global__ void __launch_bounds__(threads_per_block) pragma_unroll_kernel(Arrays<Real> arrays) {
  __shared__ Vector4<Real> tile[threads_per_block];
  const int n = arrays.n, i = body_of_thread(), lane = static_cast<int>(threadIdx.x);
  const Vector4<Real>& own = arrays.positions[min(i, n - 1)];
  Vector3<Real> force{};
  for (int first = 0; first < n; first += threads_per_block) {
    const int count = min(threads_per_block, n - first);
    if (lane < count) tile[lane] = arrays.positions[first + lane];
    __syncthreads();
    if (count == threads_per_block) {
#pragma unroll
      for (int j = 0; j < threads_per_block; ++j) add_pull(force, tile[j], own);
    } else {
      for (int j = 0; j < count; ++j) add_pull(force, tile[j], own);
    }
    __syncthreads();
  }
  if (i < n) move(arrays, i, force);
}

}  // namespace gpp::nbody::cuda
