// v2 interleaved: the rows of neighbouring pairs lie side by side in global memory.
//
// The threads of a warp are at the same column of their pairs, so an access of the warp is one
// block of 256 bytes: 8 sectors instead of 32.

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

  Above* const above = pairs.above + pair;
  const long long stride = pairs.count;
  for (int j = 0; j < columns; ++j) above[j * stride] = {0, 0};

  int best = 0;
  for (int i = 0; i < rows; ++i) {
    const int letter = first[i];
    int diagonal = 0, left = 0, e = 0;
    for (int j = 0; j < columns; ++j) {
      const Above up = above[j * stride];
      const int score = letter == second[j] ? scoring.match : scoring.mismatch;
      const int f = max(up.f - scoring.extend, up.h - scoring.open);
      e = max(e - scoring.extend, left - scoring.open);
      const int h = max(max(diagonal + score, 0), max(e, f));
      above[j * stride] = {h, f};
      best = max(best, h);
      diagonal = up.h;
      left = h;
    }
  }
  pairs.score[pair] = best;
}

}  // namespace

void interleaved(const Pairs& pairs) {
  using namespace gpp::cuda;
  launch(kernel, Shape{blocks_for(pairs.count, threads_per_block), threads_per_block}, pairs);
}
GPP_VARIANT(interleaved);

}  // namespace gpp::smith_waterman::cuda
