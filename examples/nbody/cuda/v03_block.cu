// block: a block's threads fetch a tile of positions together, and then read it from shared memory.
//
// Each thread loads one body of the tile, and all go over all of it. Two barriers keep who writes
// apart from who reads.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/block.cuh"

namespace gpp::nbody::cuda {

void block(const Bodies& bodies) { launch_for_bodies(block_kernel<double>, bodies.in_double); }

}  // namespace gpp::nbody::cuda
