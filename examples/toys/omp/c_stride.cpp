// C: one addition to each number, read with a stride of 16 doubles.
//
// Each number is read once and written once, but neighbouring results come from lines that lie 128
// bytes apart. A line is fetched for one of its eight numbers, and is often evicted before the next
// one is needed.
//
// Operations: 1 fp64 per element; 16 bytes.

#include "examples/toys/numbers.h"

namespace gpp::toys::omp {

void c_stride(const Numbers& numbers) {
  const long long rows = numbers.n / stride;
#pragma omp parallel for schedule(static)
  for (long long i = 0; i < numbers.n; ++i)
    numbers.a[i] = numbers.b[i % rows * stride + i / rows] + summand;
}
GPP_VARIANT(c_stride);

}  // namespace gpp::toys::omp
