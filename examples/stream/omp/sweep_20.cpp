// sweep_20: 20 fused multiply-adds for each number read.
//
// Made from fma.
//
// Operations: 40 fp32 per element; 4 bytes.

#include "examples/stream/omp/chains.h"

namespace gpp::stream::omp {

void sweep_20(const Arrays& arrays) { sum_chains<20>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::omp
