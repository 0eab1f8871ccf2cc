// v2: each tile is transposed in a buffer that stays in L1.
//
// A thread reads its tile along the rows of `in` into the buffer, and writes it along the rows of
// `out`, both in whole cache lines. It accesses columns only in L1.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/omp/tiles.h"

namespace gpp::transpose::omp {
namespace {

constexpr int size = 32;

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

}  // namespace

void shared(const Matrices& matrices) {
  for_each_tile<size>(matrices, [&matrices](const Tile& tile) { turn(matrices, tile); });
}
GPP_VARIANT(shared);

}  // namespace gpp::transpose::omp
