// unroll_float: unroll in single precision.
//
// Made from unroll.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/cuda/unroll.cuh"

namespace gpp::nbody::cuda {

void unroll_float(const Bodies& bodies) { unroll_step(bodies.in_float); }
GPP_VARIANT(unroll_float);

}  // namespace gpp::nbody::cuda
