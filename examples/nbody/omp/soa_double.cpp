// soa_double: soa in double precision, with the reciprocal root still in single.
//
// Made from soa.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/soa.h"

namespace gpp::nbody::omp {

void soa_double(const Bodies& bodies) { soa_step(bodies.in_double); }

}  // namespace gpp::nbody::omp
