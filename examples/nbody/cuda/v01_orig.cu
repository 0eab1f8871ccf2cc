// orig: each thread sums all forces on its body, and reads bodies as structures.
//
// A warp's 32 threads need the same body at the same time: three loads, each from one address.
//
// In doubles, with the reciprocal root in single precision, as in Lu and Wolfe 2022.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

template <class Real>
static __global__ void __launch_bounds__(threads_per_block) orig_kernel(Arrays<Real> arrays) {
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

void orig(const Bodies& bodies) { launch_for_bodies(orig_kernel<double>, bodies.in_double); }
GPP_VARIANT(orig);

// orig_float: orig in single precision.
// Operations: 18 fp32 per pair; 48 bytes per body.
void orig_float(const Bodies& bodies) { launch_for_bodies(orig_kernel<float>, bodies.in_float); }
GPP_VARIANT(orig_float);

}  // namespace gpp::nbody::cuda
