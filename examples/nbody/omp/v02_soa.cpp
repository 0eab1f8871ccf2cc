// soa: positions apart from velocities, as vectors of four numbers.
//
// What is not needed is not read: half of a structure was velocity.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/omp/soa.h"

namespace gpp::nbody::omp {

void soa(const Bodies& bodies) { soa_step(bodies.in_float); }

}  // namespace gpp::nbody::omp
