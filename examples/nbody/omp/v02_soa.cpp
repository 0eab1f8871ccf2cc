// soa: positions apart from velocities, as vectors of four numbers.
//
// Velocities, half of each structure, are not read.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/soa.h"

namespace gpp::nbody::omp {

void soa(const Bodies& bodies) { soa_step(bodies.in_double); }
GPP_VARIANT(soa);

}  // namespace gpp::nbody::omp
