// v1 naive: one thread aligns one pair, cell after cell, row after row.
//
// The row that is passed on lies in global memory, one pair after the other. The threads of a warp
// are a whole row apart, so each access takes a sector of 32 bytes per thread.

#include "examples/smith_waterman/pairs.h"
#include "runtimes/cuda/launch.h"

namespace gpp::smith_waterman::cuda {
namespace {

constexpr int threads_per_block = 128;

__global__ void __launch_bounds__(threads_per_block) kernel(Pairs pairs) {
  const int pair = static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
  if (pair >= pairs.count) return;
  const Scoring scoring = pairs.scoring;
  const std::uint8_t* const first = pairs.letters + pairs.first[pair];
  const std::uint8_t* const second = pairs.letters + pairs.second[pair];
  const int rows = pairs.rows[pair], columns = pairs.columns[pair];

  Above* const above = pairs.above + static_cast<long long>(pair) * pairs.longest_columns;
  for (int j = 0; j < columns; ++j) above[j] = {0, 0};

  int best = 0;
  for (int i = 0; i < rows; ++i) {
    const int letter = first[i];
    int diagonal = 0, left = 0, e = 0;
    for (int j = 0; j < columns; ++j) {
      const Above up = above[j];
      const int score = letter == second[j] ? scoring.match : scoring.mismatch;
      const int f = max(up.f - scoring.extend, up.h - scoring.open);
      e = max(e - scoring.extend, left - scoring.open);
      const int h = max(max(diagonal + score, 0), max(e, f));
      above[j] = {h, f};
      best = max(best, h);
      diagonal = up.h;
      left = h;
    }
  }
  pairs.score[pair] = best;
}

}  // namespace

void naive(const Pairs& pairs) {
  using namespace gpp::cuda;
  launch(kernel, Shape{blocks_for(pairs.count, threads_per_block), threads_per_block}, pairs);
}
GPP_VARIANT(naive);

}  // namespace gpp::smith_waterman::cuda
