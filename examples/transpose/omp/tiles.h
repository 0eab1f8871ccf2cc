// A matrix cut into square tiles on all threads.
#pragma once

#include "examples/transpose/matrices.h"

namespace gpp::transpose::omp {

/// A tile, cut off at the matrix's edges.
struct Tile {
  int row = 0, column = 0;    ///< first row and column of the tile
  int rows = 0, columns = 0;  ///< `size`, or less at the edges
};

/// Calls turn(tile) for all tiles of size x size numbers, along the rows of `in`.
template <int size, class Turn>
void for_each_tile(const Matrices& matrices, const Turn& turn) {
  const auto filled = [](int all, int first) { return all - first < size ? all - first : size; };
#pragma omp parallel for collapse(2) schedule(static)
  for (int row = 0; row < matrices.rows; row += size)
    for (int column = 0; column < matrices.columns; column += size)
      turn(Tile{row, column, filled(matrices.rows, row), filled(matrices.columns, column)});
}

}  // namespace gpp::transpose::omp
