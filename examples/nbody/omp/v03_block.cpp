// block: a tile of positions stays in L1 while a block of bodies uses it.
//
// All positions together would come from a farther cache again for each body.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/block.h"

namespace gpp::nbody::omp {

void block(const Bodies& bodies) { block_step(bodies.in_double); }
GPP_VARIANT(block);

}  // namespace gpp::nbody::omp
