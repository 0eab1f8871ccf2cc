// sweep_24: 24 fused multiply-adds for each number read.
//
// Made from sweep_20.
//
// Operations: 48 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_24(const Arrays& arrays) { sum_chains<24>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
