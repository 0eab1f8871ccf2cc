// sweep_32: 32 fused multiply-adds for each number read.
//
// Made from sweep_28.
//
// Operations: 64 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_32(const Arrays& arrays) { sum_chains<32>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
