// The step `block` in either precision.
#pragma once

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

template <class Real>
__global__ void __launch_bounds__(threads_per_block) block_kernel(Arrays<Real> arrays) {
  __shared__ Vector4<Real> tile[threads_per_block];
  const int n = arrays.n, i = body_of_thread(), lane = static_cast<int>(threadIdx.x);

  // A thread without a body of its own helps to load tiles; its result is not stored.
  const Vector4<Real>& own = arrays.positions[min(i, n - 1)];
  Vector3<Real> force{};
  for (int first = 0; first < n; first += threads_per_block) {
    const int count = min(threads_per_block, n - first);
    if (lane < count) tile[lane] = arrays.positions[first + lane];
    __syncthreads();
    for (int j = 0; j < count; ++j) add_pull(force, tile[j], own);
    __syncthreads();
  }
  if (i < n) move(arrays, i, force);
}

}  // namespace gpp::nbody::cuda
