// fma_1024: 1024 fused multiply-adds per number read, limited by arithmetic alone.
//
// Made from fma.
//
// Operations: 2048 fp32 per element; 4 bytes.

#include "examples/stream/omp/chains.h"

namespace gpp::stream::omp {

void fma_1024(const Arrays& arrays) { sum_chains<1024>(arrays, arrays.a, arrays.c); }
GPP_VARIANT(fma_1024);

}  // namespace gpp::stream::omp
