// unroll: five own bodies in the registers of each thread, and the loops over them and the tile
// unrolled.
//
// A body read from shared memory serves five pairs, and the pairs do not wait for each other. There
// are five times fewer threads than bodies, so the pulls are added up in parts: row y of the grid
// has those of part y. A second kernel adds the parts and moves the bodies.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/unroll.cuh"

namespace gpp::nbody::cuda {

void unroll(const Bodies& bodies) { unroll_step(bodies.in_double); }

}  // namespace gpp::nbody::cuda
