// v3: the tile in shared memory has one unused column.
//
// Shared memory has 32 banks, each one number wide. In v2 the numbers of a column lie 32 apart, all
// in one bank, which delivers them one after another. Here they lie 33 apart, each in its own bank.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/tiles.cuh"

namespace gpp::transpose::cuda {
namespace {

constexpr int tile = 32, step = rows_at_once<tile>;

__global__ void __launch_bounds__(tile* step) kernel(Matrices matrices) {
  __shared__ float turned[tile][tile + 1];
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
      matrices.out[column * matrices.pitch + row] = turned[x][y + k * step];
  }
}

}  // namespace

void padded(const Matrices& matrices) { launch_on_tiles<tile>(kernel, matrices); }
GPP_VARIANT(padded);

}  // namespace gpp::transpose::cuda
