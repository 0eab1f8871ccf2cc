// sweep_36: 36 fused multiply-adds for each number read.
//
// Made from sweep_32.
//
// Operations: 72 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_36(const Arrays& arrays) { sum_chains<36>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
