// v3 strips: a thread takes 16 rows at once, column after column, and keeps them in registers.
//
// Only the last row of a strip goes through global memory, a sixteenth of the bytes. Rows beyond
// the end of the sequence are computed too, with a letter that matches nothing.

#include "examples/smith_waterman/pairs.h"
#include "runtimes/cuda/launch.h"

namespace gpp::smith_waterman::cuda {
namespace {

constexpr int threads_per_block = 128;
constexpr int strip = 16;

__global__ void __launch_bounds__(threads_per_block) kernel(Pairs pairs) {
  const int pair = static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
  if (pair >= pairs.count) return;
  const Scoring scoring = pairs.scoring;
  const std::uint8_t* const first = pairs.letters + pairs.first[pair];
  const std::uint8_t* const second = pairs.letters + pairs.second[pair];
  const int rows = pairs.rows[pair], columns = pairs.columns[pair];
  Above* const above = pairs.above + pair;
  const long long stride = pairs.count;

  int best = 0;
  for (int top = 0; top < rows; top += strip) {
    int letters[strip], h[strip] = {}, e[strip] = {};  // h, e: of the previous column
#pragma unroll
    for (int r = 0; r < strip; ++r) letters[r] = top + r < rows ? first[top + r] : beyond_first;
    int corner = 0;  // h of the row above in the previous column
    for (int j = 0; j < columns; ++j) {
      const int other = second[j];
      Above up = top > 0 ? above[j * stride] : Above{0, 0};
      int diagonal = corner;
      corner = up.h;
#pragma unroll
      for (int r = 0; r < strip; ++r) {
        const int score = letters[r] == other ? scoring.match : scoring.mismatch;
        up.f = max(up.f - scoring.extend, up.h - scoring.open);
        e[r] = max(e[r] - scoring.extend, h[r] - scoring.open);
        up.h = max(max(diagonal + score, 0), max(e[r], up.f));
        best = max(best, up.h);
        diagonal = h[r];
        h[r] = up.h;
      }
      above[j * stride] = up;
    }
  }
  pairs.score[pair] = best;
}

}  // namespace

void strips(const Pairs& pairs) {
  using namespace gpp::cuda;
  launch(kernel, Shape{blocks_for(pairs.count, threads_per_block), threads_per_block}, pairs);
}
GPP_VARIANT(strips);

}  // namespace gpp::smith_waterman::cuda
