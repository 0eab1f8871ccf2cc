// v4: tiles of 64 x 64 numbers.
//
// Two warps side by side read and write 256 bytes of a row, not 128, and a thread has eight reads
// under way where it had four. A column of the tile lies 65 apart in shared memory: as many banks
// as before.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/tiles.cuh"

namespace gpp::transpose::cuda {
namespace {

constexpr int tile = 64;

__global__ void __launch_bounds__(tile* rows_at_once) wide_kernel(Matrices matrices) {
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

void wide(const Matrices& matrices) { launch_on_tiles<tile>(wide_kernel, matrices); }

}  // namespace gpp::transpose::cuda
