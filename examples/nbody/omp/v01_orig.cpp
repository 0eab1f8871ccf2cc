// orig: sums all forces on each body, and reads bodies as structures.
//
// The threads share the bodies. Vector lanes share the other bodies, whose numbers lie one
// structure apart.
//
// In doubles, with the reciprocal root in single precision, as in Lu and Wolfe 2022.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/omp/orig.h"

namespace gpp::nbody::omp {

void orig(const Bodies& bodies) { orig_step(bodies.in_double); }
GPP_VARIANT(orig);

}  // namespace gpp::nbody::omp
