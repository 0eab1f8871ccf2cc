// fma_double: fma in double precision, with twice the bytes per operation.
//
// Made from fma.
//
// Operations: 2 fp64 per element; 8 bytes.

#include "examples/stream/cuda/chains.cuh"

namespace gpp::stream::cuda {

void fma_double(const Arrays& arrays) { sum_chains<1>(arrays, arrays.a_double, arrays.c_double); }
GPP_VARIANT(fma_double);

}  // namespace gpp::stream::cuda
