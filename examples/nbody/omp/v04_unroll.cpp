// unroll: the lanes of a vector are own bodies: they and their sums stay in registers.
//
// One body of the tile meets a whole vector of own ones. Nothing is picked out of structures, and
// no lanes are added up at the end.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/unroll.h"

namespace gpp::nbody::omp {

void unroll(const Bodies& bodies) { unroll_step(bodies.in_double); }

}  // namespace gpp::nbody::omp
