// The step `orig` in either precision.
#pragma once

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

template <class Real>
__global__ void __launch_bounds__(threads_per_block) orig_kernel(Arrays<Real> arrays) {
  const int i = body_of_thread();
  if (i >= arrays.n) return;

  const Body<Real>& own = arrays.bodies[i];
  Vector3<Real> force{};
  for (int j = 0; j < arrays.n; ++j) add_pull(force, arrays.bodies[j], own);

  constexpr Real dt = time_step<Real>;
  Body<Real> after = own;
  after.vx += dt * force.x;
  after.vy += dt * force.y;
  after.vz += dt * force.z;
  after.x += dt * after.vx;
  after.y += dt * after.vy;
  after.z += dt * after.vz;
  arrays.bodies_after[i] = after;
}

}  // namespace gpp::nbody::cuda
