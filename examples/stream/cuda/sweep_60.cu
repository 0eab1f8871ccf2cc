// sweep_60: 60 fused multiply-adds for each number read.
//
// Made from sweep_56.
//
// Operations: 120 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_60(const Arrays& arrays) { sum_chains<60>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
