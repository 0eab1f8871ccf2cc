// sweep_28: 28 fused multiply-adds for each number read.
//
// Made from sweep_24.
//
// Operations: 56 fp32 per element; 4 bytes.

#include "examples/stream/omp/chains.h"

namespace gpp::stream::omp {

void sweep_28(const Arrays& arrays) { sum_chains<28>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::omp
