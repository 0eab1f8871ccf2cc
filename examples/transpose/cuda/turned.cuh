// Tiles that are transposed in shared memory: common code of shared, padded and wide.
#pragma once

#include "examples/transpose/cuda/tiles.cuh"

namespace gpp::transpose::cuda {

/// A block reads its tile along the rows of `in`, waits until it is complete, and writes it along
/// the rows of `out`. In shared memory the numbers of a column lie `pitch` apart.
template <int tile, int pitch>
__global__ void __launch_bounds__(tile* rows_at_once<tile>) turned_kernel(Matrices matrices) {
  constexpr int step = rows_at_once<tile>;
  __shared__ float turned[tile][pitch];
  const Corner corner = corner_of_tile<tile>(matrices);
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);

  float numbers[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const long long row = corner.row + y + k * step, column = corner.column + x;
    if (row < matrices.rows && column < matrices.columns)
      numbers[k] = matrices.in[row * matrices.columns + column];
  }
#pragma unroll
  for (int k = 0; k < each; ++k) turned[y + k * step][x] = numbers[k];

  __syncthreads();

#pragma unroll
  for (int k = 0; k < each; ++k) {
    const long long row = corner.row + x, column = corner.column + y + k * step;
    if (row < matrices.rows && column < matrices.columns)
      matrices.out[column * matrices.rows + row] = turned[x][y + k * step];
  }
}

}  // namespace gpp::transpose::cuda
