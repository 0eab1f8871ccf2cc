// block_float: block in single precision.
//
// Made from block.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/cuda/block.cuh"

namespace gpp::nbody::cuda {

void block_float(const Bodies& bodies) { launch_for_bodies(block_kernel<float>, bodies.in_float); }
GPP_VARIANT(block_float);

}  // namespace gpp::nbody::cuda
