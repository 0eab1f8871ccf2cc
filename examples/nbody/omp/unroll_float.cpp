// unroll_float: unroll in single precision.
//
// Made from unroll.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/omp/unroll.h"

namespace gpp::nbody::omp {

void unroll_float(const Bodies& bodies) { unroll_step(bodies.in_float); }
GPP_VARIANT(unroll_float);

}  // namespace gpp::nbody::omp
