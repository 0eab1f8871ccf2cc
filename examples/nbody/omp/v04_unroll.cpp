// unroll: vector lanes hold different bodies, which stay in registers with their sums.
//
// One body of the tile meets a whole vector of bodies. Nothing is gathered from structures, and no
// lanes are added up at the end.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/unroll.h"

namespace gpp::nbody::omp {

void unroll(const Bodies& bodies) { unroll_step(bodies.in_double); }
GPP_VARIANT(unroll);

}  // namespace gpp::nbody::omp
