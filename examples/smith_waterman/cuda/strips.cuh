// A thread aligns a pair, in strips of rows: common code of naive, interleaved, strips and dpx.
#pragma once

#include "examples/smith_waterman/pairs.h"
#include "runtimes/cuda/launch.h"

namespace gpp::smith_waterman::cuda {

inline constexpr int threads_of_pairs = 128;  ///< per block

/// The arithmetic of a cell. Gaps are those of E and F.
struct Cells {
  /// Goes down by a cell: `up` becomes this cell's h and f. `left` is h to the left, `matched` the
  /// score of a match or mismatch here.
  static __device__ void next(const Scoring& scoring, Above& up, int& e, int left, int matched) {
    up.f = max(up.f - scoring.extend, up.h - scoring.open);
    e = max(e - scoring.extend, left - scoring.open);
    up.h = max(max(matched, 0), max(e, up.f));
  }
  /// The best of earlier scores and that of this row, where the row above has `before`.
  static __device__ int best(int best, int /*row*/, int /*before*/, int h) { return max(best, h); }
};

/// A strip goes from column to column. What its last row passes on lies in global memory: pair
/// after pair or, if interleaved, column after column. Rows beyond the end of the sequence are
/// computed too, with a letter that matches nothing.
template <int strip, bool interleaved, class Arithmetic>
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
        const int before = up.h;
        Arithmetic::next(scoring, up, e[r], h[r], diagonal + score);
        best = Arithmetic::best(best, r, before, up.h);
        diagonal = h[r];
        h[r] = up.h;
      }
      above[j * stride] = up;
    }
  }
  pairs.score[pair] = best;
}

/// Aligns each pair by a thread.
template <int strip, bool interleaved, class Arithmetic = Cells>
void align(const Pairs& pairs) {
  gpp::cuda::launch_for(pairs.count, threads_of_pairs,
                        strips_kernel<strip, interleaved, Arithmetic>, pairs);
}

}  // namespace gpp::smith_waterman::cuda
