// soa_float: soa in single precision.
//
// Made from soa.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/omp/soa.h"

namespace gpp::nbody::omp {

void soa_float(const Bodies& bodies) { soa_step(bodies.in_float); }
GPP_VARIANT(soa_float);

}  // namespace gpp::nbody::omp
