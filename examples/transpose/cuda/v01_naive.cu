// v1: out(column, row) = in(row, column), number by number.
//
// A warp reads along a row: 32 neighbouring numbers in four sectors of 32 bytes. It writes along a
// column: its 32 numbers lie a whole row of `out` apart, each in its own sector.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/tiles.cuh"

namespace gpp::transpose::cuda {
namespace {

constexpr int tile = 32, step = rows_at_once<tile>;

__global__ void __launch_bounds__(tile* step) kernel(Matrices matrices) {
  const Corner corner = corner_of_tile<tile>(matrices);
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);

#pragma unroll
  for (int k = 0; k < each; ++k) {
    const long long row = corner.row + y + k * step, column = corner.column + x;
    if (row < matrices.rows && column < matrices.columns)
      matrices.out[column * matrices.rows + row] = matrices.in[row * matrices.columns + column];
  }
}

}  // namespace

void naive(const Matrices& matrices) { launch_on_tiles<tile>(kernel, matrices); }
GPP_VARIANT(naive);

}  // namespace gpp::transpose::cuda
