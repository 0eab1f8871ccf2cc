// unroll_double: unroll in double precision, with the reciprocal root still in single.
//
// Made from unroll.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/unroll.cuh"

namespace gpp::nbody::cuda {

void unroll_double(const Bodies& bodies) { unroll_step(bodies.in_double); }

}  // namespace gpp::nbody::cuda
