// The step `soa` in either precision.
#pragma once

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

template <class Real>
__global__ void __launch_bounds__(threads_per_block) soa_kernel(Arrays<Real> arrays) {
  const int i = body_of_thread();
  if (i >= arrays.n) return;

  const Vector4<Real>& own = arrays.positions[i];
  Vector3<Real> force{};
  for (int j = 0; j < arrays.n; ++j) add_pull(force, arrays.positions[j], own);
  move(arrays, i, force);
}

}  // namespace gpp::nbody::cuda
