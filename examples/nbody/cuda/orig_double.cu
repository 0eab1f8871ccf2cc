// orig_double: orig in double precision, with the reciprocal root still in single.
//
// Made from orig.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/cuda/orig.cuh"

namespace gpp::nbody::cuda {

void orig_double(const Bodies& bodies) { launch_for_bodies(orig_kernel<double>, bodies.in_double); }

}  // namespace gpp::nbody::cuda
