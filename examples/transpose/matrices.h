// The problem of the transpose kernels: a matrix, and memory for its transpose.
#pragma once

#include "runtimes/registration.h"

namespace gpp::transpose {

/// A view of two matrices of floats in the memory where variants run, row by row. Trivially
/// copyable, so a kernel takes it by value. A variant sets out(column, row) = in(row, column):
/// out[column * rows + row] = in[row * columns + column].
struct Matrices {
  int rows = 0;     ///< rows of `in` = columns of `out`
  int columns = 0;  ///< columns of `in` = rows of `out`

  const float* in = nullptr;  ///< (rows, columns)
  float* out = nullptr;       ///< (columns, rows); the step copy: (rows, columns), as `in`
};

/// Names all arrays (Relocation of runtimes/registration.h).
void each_array(Matrices& all, auto&& visit) { visit(all.in, all.out); }

}  // namespace gpp::transpose
