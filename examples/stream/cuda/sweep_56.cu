// sweep_56: 56 fused multiply-adds for each number read.
//
// Made from sweep_52.
//
// Operations: 112 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_56(const Arrays& arrays) { sum_chains<56>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
