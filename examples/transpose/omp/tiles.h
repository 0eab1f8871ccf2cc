// A matrix cut into square tiles on all threads.
#pragma once

#include "examples/transpose/matrices.h"

namespace gpp::transpose::omp {

/// A tile, cut off at the matrix's edges.
struct Tile {
  int row = 0, column = 0;    ///< first row and column of the tile
  int rows = 0, columns = 0;  ///< `size`, or less at the edges
};

/// Transposes a tile in a buffer: reads it along the rows of `in`, writes along the rows of `out`.
template <int size>
void turn(const Matrices& matrices, const Tile& tile) {
  float turned[size][size];

  for (long long y = 0; y < tile.rows; ++y) {
    const float* const in = matrices.in + (tile.row + y) * matrices.columns + tile.column;
    for (int x = 0; x < tile.columns; ++x) turned[x][y] = in[x];
  }

  for (long long x = 0; x < tile.columns; ++x) {
    float* const out = matrices.out + (tile.column + x) * matrices.pitch + tile.row;
    for (int y = 0; y < tile.rows; ++y) out[y] = turned[x][y];
  }
}

/// Transposes all tiles of size x size numbers, along the rows of `in`.
template <int size>
void turn_all(const Matrices& matrices) {
  const auto filled = [](int all, int first) { return all - first < size ? all - first : size; };
#pragma omp parallel for collapse(2) schedule(static)
  for (int row = 0; row < matrices.rows; row += size)
    for (int column = 0; column < matrices.columns; column += size)
      turn<size>(matrices,
                 {row, column, filled(matrices.rows, row), filled(matrices.columns, column)});
}

}  // namespace gpp::transpose::omp
