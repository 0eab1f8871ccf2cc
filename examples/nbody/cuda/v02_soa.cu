// soa: positions apart from velocities, as vectors of four numbers.
//
// A load of 16 bytes brings two doubles: two loads for a body, not three. What is not needed is not
// read: half of a structure was velocity.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/soa.cuh"

namespace gpp::nbody::cuda {

void soa(const Bodies& bodies) { launch_for_bodies(soa_kernel<double>, bodies.in_double); }

}  // namespace gpp::nbody::cuda
