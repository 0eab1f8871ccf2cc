// block_double: block in double precision, with the reciprocal root still in single.
//
// Made from block.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/block.cuh"

namespace gpp::nbody::cuda {

void block_double(const Bodies& bodies) {
  launch_for_bodies(block_kernel<double>, bodies.in_double);
}

}  // namespace gpp::nbody::cuda
