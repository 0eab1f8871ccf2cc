// v2: each tile is transposed in shared memory.
//
// A block reads its tile along the rows of `in`, waits until it is complete, and writes it along
// the rows of `out`. So warps read and write neighbouring numbers, and access columns only in
// shared memory.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/tiles.cuh"

namespace gpp::transpose::cuda {
namespace {

constexpr int tile = 32, step = rows_at_once<tile>;

__global__ void __launch_bounds__(tile* step) kernel(Matrices matrices) {
  __shared__ float turned[tile][tile];
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

void shared(const Matrices& matrices) { launch_on_tiles<tile>(kernel, matrices); }
GPP_VARIANT(shared);

}  // namespace gpp::transpose::cuda
