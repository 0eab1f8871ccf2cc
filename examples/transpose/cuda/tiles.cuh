// A matrix cut into square tiles on a GPU, with one block of threads per tile.
#pragma once

#include "examples/transpose/matrices.h"
#include "runtimes/cuda/launch.h"

namespace gpp::transpose::cuda {

/// Numbers of a tile per thread. A thread reads all of them before it stores the first.
inline constexpr int each = 8;

/// Rows of a tile that a block's threads cover at once.
template <int tile>
inline constexpr int rows_at_once = tile / each;

/// The position of this block's tile.
struct Corner {
  int row, column;
};

/// Blocks are numbered along the rows of `in`, in one dimension, because the second dimension of a
/// grid ends at 65535.
template <int tile>
__device__ Corner corner_of_tile(const Matrices& matrices) {
  const int across = (matrices.columns + tile - 1) / tile;
  const int block = static_cast<int>(blockIdx.x);
  return {block / across * tile, block % across * tile};
}

/// Starts the kernel with one row of threads for every `each` rows of a tile.
template <int tile>
void launch_on_tiles(void (*kernel)(Matrices), const Matrices& matrices) {
  using namespace gpp::cuda;
  const unsigned tiles = blocks_for(matrices.rows, tile) * blocks_for(matrices.columns, tile);
  launch(kernel, Shape{tiles, dim3(tile, rows_at_once<tile>)}, matrices);
}

}  // namespace gpp::transpose::cuda
