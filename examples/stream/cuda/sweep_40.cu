// sweep_40: 40 fused multiply-adds for each number read.
//
// Made from sweep_36.
//
// Operations: 80 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_40(const Arrays& arrays) { sum_chains<40>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
