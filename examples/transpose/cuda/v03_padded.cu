// v3: the tile in shared memory has one unused column.
//
// Shared memory has 32 banks, each a number wide. In v2 the numbers of a column lie 32 apart: all
// in one bank, which gives them out one after another. They are 33 apart here, each in a bank of
// its own.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/tiles.cuh"

namespace gpp::transpose::cuda {
namespace {

constexpr int tile = 32;

__global__ void __launch_bounds__(tile* rows_at_once) padded_kernel(Matrices matrices) {
  __shared__ float turned[tile][tile + 1];
  const Corner corner = corner_of_tile<tile>(matrices);
  const int x = static_cast<int>(threadIdx.x);

#pragma unroll
  for (int k = 0; k < tile; k += rows_at_once) {
    const int y = static_cast<int>(threadIdx.y) + k;
    const long long row = corner.row + y, column = corner.column + x;
    if (row < matrices.rows && column < matrices.columns)
      turned[y][x] = matrices.in[row * matrices.columns + column];
  }

  __syncthreads();

#pragma unroll
  for (int k = 0; k < tile; k += rows_at_once) {
    const int y = static_cast<int>(threadIdx.y) + k;
    const long long row = corner.row + x, column = corner.column + y;
    if (row < matrices.rows && column < matrices.columns)
      matrices.out[column * matrices.pitch + row] = turned[x][y];
  }
}

}  // namespace

void padded(const Matrices& matrices) { launch_on_tiles<tile>(padded_kernel, matrices); }

}  // namespace gpp::transpose::cuda
