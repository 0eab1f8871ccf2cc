// soa: positions apart from velocities, as vectors of 16 bytes: one load for a body, not three.
//
// What is not needed is not read: half of a structure was velocity.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/cuda/soa.cuh"

namespace gpp::nbody::cuda {

void soa(const Bodies& bodies) { launch_for_bodies(soa_kernel<float>, bodies.in_float); }

}  // namespace gpp::nbody::cuda
