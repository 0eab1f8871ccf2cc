// orig: each own body goes over all bodies, and reads them as the structures they are.
//
// The threads share the own bodies, and the lanes of a vector the others, whose numbers lie a
// structure apart.
//
// Operations: 18 fp32 per pair; 48 bytes per body.

#include "examples/nbody/omp/orig.h"

namespace gpp::nbody::omp {

void orig(const Bodies& bodies) { orig_step(bodies.in_float); }

}  // namespace gpp::nbody::omp
