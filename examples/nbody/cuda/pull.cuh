// Common code of all GPU steps: the force of a pair, and the move that follows.
#pragma once

#include "examples/nbody/bodies.h"
#include "runtimes/cuda/launch.h"

namespace gpp::nbody::cuda {

inline constexpr int threads_per_block = 256;

/// 1 / sqrt(x) in one instruction, with relative error 2^-22.9 (NVIDIA, PTX ISA). rsqrtf needs
/// three more for denormal numbers, which softened distances never are.
__device__ inline float reciprocal_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

/// Adds the force of one body on another: 3 additions, 6 fused multiply-adds, 2 multiplications and
/// a reciprocal root, together 18 operations. As published, the root is in single precision even
/// for doubles.
template <class Real, class From, class Own>
__device__ void add_pull(Vector3<Real>& force, const From& from, const Own& own) {
  const Real dx = from.x - own.x, dy = from.y - own.y, dz = from.z - own.z;
  // In this order each product is fused with an addition, also with the softening's.
  const Real square = softening<Real> + dx * dx + dy * dy + dz * dz;
  const Real inverse = reciprocal_root(static_cast<float>(square));
  const Real cube = inverse * inverse * inverse;
  force.x += dx * cube;
  force.y += dy * cube;
  force.z += dz * cube;
}

/// Writes the new state of body i after the step.
template <class Real>
__device__ void move(const Arrays<Real>& arrays, int i, const Vector3<Real>& force) {
  constexpr Real dt = time_step<Real>;
  const Vector4<Real> r = arrays.positions[i], v = arrays.velocities[i];
  const Vector4<Real> after{v.x + dt * force.x, v.y + dt * force.y, v.z + dt * force.z, 0};
  arrays.velocities_after[i] = after;
  arrays.positions_after[i] = {r.x + dt * after.x, r.y + dt * after.y, r.z + dt * after.z, 0};
}

/// The index of this thread's body. There may be fewer bodies than threads.
__device__ inline int body_of_thread() {
  return static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
}

/// Starts a kernel with one thread per body.
template <class Real>
void launch_for_bodies(void (*kernel)(Arrays<Real>), const Arrays<Real>& arrays) {
  gpp::cuda::launch_for(arrays.n, threads_per_block, kernel, arrays);
}

}  // namespace gpp::nbody::cuda
