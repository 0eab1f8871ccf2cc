// What the pairs of all steps have in common on a GPU: the pull, and the move that follows.
#pragma once

#include "examples/nbody/bodies.h"
#include "runtimes/cuda/launch.h"

namespace gpp::nbody::cuda {

inline constexpr int threads_per_block = 256;

/// 1 / sqrt(x) in one instruction, to 2^-22.9 of itself (NVIDIA, PTX ISA). rsqrtf adds three that
/// save denormal numbers, which a softened distance never is.
__device__ inline float reciprocal_root(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

/// Adds the pull of a body on the own one: 3 additions, 6 fused multiply-adds, 2 multiplications
/// and a reciprocal root, 18 operations. The root is of single precision for doubles, too, as
/// published.
template <class Real, class From, class Own>
__device__ void add_pull(Vector3<Real>& force, const From& from, const Own& own) {
  const Real dx = from.x - own.x, dy = from.y - own.y, dz = from.z - own.z;
  // In this order each product is fused with a sum, the softening's included.
  const Real square = softening<Real> + dx * dx + dy * dy + dz * dz;
  const Real inverse = reciprocal_root(static_cast<float>(square));
  const Real cube = inverse * inverse * inverse;
  force.x += dx * cube;
  force.y += dy * cube;
  force.z += dz * cube;
}

/// Writes body i as it is after the step.
template <class Real>
__device__ void move(const Arrays<Real>& arrays, int i, const Vector3<Real>& force) {
  constexpr Real dt = time_step<Real>;
  const Vector4<Real> r = arrays.positions[i], v = arrays.velocities[i];
  const Vector4<Real> after{v.x + dt * force.x, v.y + dt * force.y, v.z + dt * force.z, 0};
  arrays.velocities_after[i] = after;
  arrays.positions_after[i] = {r.x + dt * after.x, r.y + dt * after.y, r.z + dt * after.z, 0};
}

/// The body that this thread computes; there may be fewer bodies than threads.
__device__ inline int body_of_thread() {
  return static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
}

/// Starts a kernel with a thread for each body.
template <class Real>
void launch_for_bodies(void (*kernel)(Arrays<Real>), const Arrays<Real>& arrays) {
  using namespace gpp::cuda;
  launch(kernel, Shape{blocks_for(arrays.n, threads_per_block), threads_per_block}, arrays);
}

}  // namespace gpp::nbody::cuda
