// orig: each own body goes over all bodies, and reads them as the structures they are.
//
// The threads share the own bodies, and the lanes of a vector the others, whose numbers lie a
// structure apart.
//
// In doubles, with the reciprocal root in single precision, as Lu and Wolfe 2022 show it.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/omp/orig.h"

namespace gpp::nbody::omp {

void orig(const Bodies& bodies) { orig_step(bodies.in_double); }

}  // namespace gpp::nbody::omp
