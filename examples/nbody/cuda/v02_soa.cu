// soa: positions apart from velocities, as vectors of four numbers.
//
// A load of 16 bytes brings two doubles, so a body takes two loads instead of three. Velocities,
// half of each structure, are not read.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

template <class Real>
static __global__ void __launch_bounds__(threads_per_block) soa_kernel(Arrays<Real> arrays) {
  const int i = body_of_thread();
  if (i >= arrays.n) return;

  const Vector4<Real>& own = arrays.positions[i];
  Vector3<Real> force{};
  for (int j = 0; j < arrays.n; ++j) add_pull(force, arrays.positions[j], own);
  move(arrays, i, force);
}

void soa(const Bodies& bodies) { launch_for_bodies(soa_kernel<double>, bodies.in_double); }
GPP_VARIANT(soa);

// soa_float: soa in single precision.
// Operations: 18 fp32 per pair; 64 bytes per body.
void soa_float(const Bodies& bodies) { launch_for_bodies(soa_kernel<float>, bodies.in_float); }
GPP_VARIANT(soa_float);

}  // namespace gpp::nbody::cuda
