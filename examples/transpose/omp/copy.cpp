// copy: out = in, row by row: the upper limit for a transpose.
//
// It moves the bytes of a transpose in their order.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/matrices.h"

namespace gpp::transpose::omp {

void copy(const Matrices& matrices) {
  const long long count = static_cast<long long>(matrices.rows) * matrices.columns;
  const float* const in = matrices.in;
  float* const out = matrices.out;
#pragma omp parallel for simd schedule(static)
  for (long long i = 0; i < count; ++i) out[i] = in[i];
}
GPP_VARIANT(copy);

}  // namespace gpp::transpose::omp
