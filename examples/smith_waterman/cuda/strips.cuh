// A thread aligns a pair, in strips of rows: common code of naive, interleaved and strips.
#pragma once

#include "examples/smith_waterman/pairs.h"
#include "runtimes/cuda/launch.h"

namespace gpp::smith_waterman::cuda {

inline constexpr int threads_of_pairs = 128;  ///< per block

/// A strip goes from column to column. What its last row passes on lies in global memory: pair
/// after pair or, if interleaved, column after column. Rows beyond the end of the sequence are
/// computed too, with a letter that matches nothing.
template <int strip, bool interleaved>
__global__ void __launch_bounds__(threads_of_pairs) strips_kernel(Pairs pairs) {
  const int pair = static_cast<int>(blockIdx.x * threads_of_pairs + threadIdx.x);
  if (pair >= pairs.count) return;
  const Scoring scoring = pairs.scoring;
  const std::uint8_t* const first = pairs.letters + pairs.first[pair];
  const std::uint8_t* const second = pairs.letters + pairs.second[pair];
  const int rows = pairs.rows[pair], columns = pairs.columns[pair];
  const long long stride = interleaved ? pairs.count : 1;
  Above* const above = pairs.above + pair * (interleaved ? 1LL : pairs.longest_columns);

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

/// Starts a kernel with one thread per pair.
inline void launch_for_pairs(void (*kernel)(Pairs), const Pairs& pairs) {
  using namespace gpp::cuda;
  launch(kernel, Shape{blocks_for(pairs.count, threads_of_pairs), threads_of_pairs}, pairs);
}

}  // namespace gpp::smith_waterman::cuda
