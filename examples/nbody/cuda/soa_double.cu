// soa_double: soa in double precision, with the reciprocal root still in single.
//
// Made from soa.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/soa.cuh"

namespace gpp::nbody::cuda {

void soa_double(const Bodies& bodies) { launch_for_bodies(soa_kernel<double>, bodies.in_double); }

}  // namespace gpp::nbody::cuda
