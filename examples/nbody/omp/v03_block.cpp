// block: a tile of positions stays in L1 while a block of own bodies goes over it.
//
// All positions together would be fetched from a farther cache for each own body anew.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/block.h"

namespace gpp::nbody::omp {

void block(const Bodies& bodies) { block_step(bodies.in_double); }

}  // namespace gpp::nbody::omp
