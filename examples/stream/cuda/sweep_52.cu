// sweep_52: 52 fused multiply-adds for each number read.
//
// Made from sweep_48.
//
// Operations: 104 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_52(const Arrays& arrays) { sum_chains<52>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
