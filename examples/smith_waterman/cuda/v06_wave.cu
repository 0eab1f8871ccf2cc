// v6 wave: four lanes go through a table together, like a wave.
//
// Each lane has 32 rows and is a column behind the lane before, which shuffles its last row over:
// only every 128th row goes through global memory. One load from a table in shared memory has the
// scores of four rows; four bits of each pair, made once for a strip and each letter, say where
// letters match. Pairs are sorted, so that a warp's are about as long as each other. wave.h has the
// way through the table, and below is what a cell does. Where a number may need more than 16 bits,
// or few short pairs leave too little memory, all is left to v5.

#include "examples/smith_waterman/cuda/wave.h"

namespace gpp::smith_waterman::cuda {
namespace {

struct Cells {
  Two open, extend;

  __device__ explicit Cells(const Scoring& scoring)
      : open(two(scoring.open, scoring.open)), extend(two(-scoring.extend, -scoring.extend)) {}

  static __device__ int in_table(const Scoring& scoring) { return scoring.open; }

  /// e, f: gaps, t: the best that ends here but for f. All without the cost of opening.
  __device__ Two next(Two& t, Two& e, Two& f, Two up, Two score) const {
    // At least 0 in both halves, so a plain difference borrows nothing from the upper one.
    const Two h = __vimax3_s16x2(t, f, open) - open;
    e = __viaddmax_s16x2(e, extend, h);
    f = __viaddmax_s16x2(f, extend, h);
    t = __viaddmax_s16x2(up, score, e);  // of the next column
    return h;
  }
};

}  // namespace

void wave(const Pairs& pairs) {
  const long long largest = 1LL * pairs.longest_shorter * pairs.scoring.match + pairs.scoring.open;
  if (!fit_16_bits(pairs) || largest > 32767 || !wave_through<Cells>(pairs)) packed(pairs);
}

}  // namespace gpp::smith_waterman::cuda
