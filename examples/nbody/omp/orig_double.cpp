// orig_double: orig in double precision, with the reciprocal root still in single.
//
// Made from orig.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/omp/orig.h"

namespace gpp::nbody::omp {

void orig_double(const Bodies& bodies) { orig_step(bodies.in_double); }

}  // namespace gpp::nbody::omp
