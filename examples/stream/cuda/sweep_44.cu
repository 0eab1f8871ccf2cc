// sweep_44: 44 fused multiply-adds for each number read.
//
// Made from sweep_40.
//
// Operations: 88 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_44(const Arrays& arrays) { sum_chains<44>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
