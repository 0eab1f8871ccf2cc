// sweep_48: 48 fused multiply-adds for each number read.
//
// Made from sweep_44.
//
// Operations: 96 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void sweep_48(const Arrays& arrays) { sum_chains<48>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::cuda
