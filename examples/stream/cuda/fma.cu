// fma: x = a x + y along each lane. Each fused multiply-add reads one number; almost nothing is
// written.
//
// Made from triad.
//
// Operations: 2 fp32 per element; 4 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void fma(const Arrays& arrays) { sum_chains<1>(arrays, arrays.a, arrays.c); }
GPP_VARIANT(fma);

}  // namespace gpp::stream::cuda
