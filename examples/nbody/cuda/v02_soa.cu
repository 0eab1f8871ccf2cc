// soa: positions apart from velocities, as vectors of four numbers.
//
// A load of 16 bytes brings two doubles, so a body takes two loads instead of three. Velocities,
// half of each structure, are not read.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/soa.cuh"

namespace gpp::nbody::cuda {

void soa(const Bodies& bodies) { launch_for_bodies(soa_kernel<double>, bodies.in_double); }
GPP_VARIANT(soa);

}  // namespace gpp::nbody::cuda
