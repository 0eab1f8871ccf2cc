// orig_float: orig in single precision.
//
// Made from orig.
//
// Operations: 18 fp32 per pair; 48 bytes per body.

#include "examples/nbody/omp/orig.h"

namespace gpp::nbody::omp {

void orig_float(const Bodies& bodies) { orig_step(bodies.in_float); }
GPP_VARIANT(orig_float);

}  // namespace gpp::nbody::omp
