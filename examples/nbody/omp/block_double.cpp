// block_double: block in double precision, with the reciprocal root still in single.
//
// Made from block.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/block.h"

namespace gpp::nbody::omp {

void block_double(const Bodies& bodies) { block_step(bodies.in_double); }

}  // namespace gpp::nbody::omp
