// sweep_48: 48 fused multiply-adds for each number read.
//
// Made from sweep_44.
//
// Operations: 96 fp32 per element; 4 bytes.

#include "examples/stream/omp/chains.h"

namespace gpp::stream::omp {

void sweep_48(const Arrays& arrays) { sum_chains<48>(arrays, arrays.a, arrays.c); }

}  // namespace gpp::stream::omp
