// v1: out(column, row) = in(row, column), number by number.
//
// A thread reads along a row. It writes along a column, each number into its own cache line, where
// the next row of `in` fills the next number.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/matrices.h"

namespace gpp::transpose::omp {

void naive(const Matrices& matrices) {
#pragma omp parallel for schedule(static)
  for (long long row = 0; row < matrices.rows; ++row)
    for (long long column = 0; column < matrices.columns; ++column)
      matrices.out[column * matrices.rows + row] = matrices.in[row * matrices.columns + column];
}
GPP_VARIANT(naive);

}  // namespace gpp::transpose::omp
