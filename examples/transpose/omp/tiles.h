// A matrix cut into square tiles on all threads.
#pragma once

#include <algorithm>

#include "examples/transpose/matrices.h"

namespace gpp::transpose::omp {

/// Transposes a tile, cut off at the matrix's edges, in a buffer: reads it along the rows of `in`,
/// writes along the rows of `out`.
template <int size>
void turn(const Matrices& matrices, int top, int left) {
  const int rows = std::min(size, matrices.rows - top);
  const int columns = std::min(size, matrices.columns - left);
  float turned[size][size];

  for (long long y = 0; y < rows; ++y) {
    const float* const in = matrices.in + (top + y) * matrices.columns + left;
    for (int x = 0; x < columns; ++x) turned[x][y] = in[x];
  }

  for (long long x = 0; x < columns; ++x) {
    float* const out = matrices.out + (left + x) * matrices.rows + top;
    for (int y = 0; y < rows; ++y) out[y] = turned[x][y];
  }
}

/// Transposes all tiles of size x size numbers, along the rows of `in`.
template <int size>
void turn_all(const Matrices& matrices) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int top = 0; top < matrices.rows; top += size)
    for (int left = 0; left < matrices.columns; left += size) turn<size>(matrices, top, left);
}

}  // namespace gpp::transpose::omp
