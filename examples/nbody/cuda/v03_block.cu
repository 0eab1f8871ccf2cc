// block: the threads of a block load a tile of positions together and read it from shared memory.
//
// Each thread loads one body of the tile, and all threads use the whole tile. Two barriers separate
// writes from reads.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/block.cuh"

namespace gpp::nbody::cuda {

void block(const Bodies& bodies) { launch_for_bodies(block_kernel<double>, bodies.in_double); }
GPP_VARIANT(block);

}  // namespace gpp::nbody::cuda
