// v6 wave: four lanes go through a table together, as a diagonal wave.
//
// Each lane has 32 rows and is one column behind the previous lane, which passes on its last row by
// a shuffle. So only every 128th row goes through global memory. One load from a table in shared
// memory gives the scores of four rows. Its index is four match bits per pair, which are computed
// once per strip and letter. Pairs are sorted, so that those of a warp have similar lengths. wave.h
// goes through the table; this file computes a cell. If a number may exceed 16 bits, or short pairs
// leave too little memory, v5 does all the work.

#include "examples/smith_waterman/cuda/wave.h"

namespace gpp::smith_waterman::cuda {
namespace {

struct Cells {
  Two open, extend;

  __device__ explicit Cells(const Scoring& scoring)
      : open(two(scoring.open, scoring.open)), extend(two(-scoring.extend, -scoring.extend)) {}

  static __device__ int in_table(const Scoring& scoring) { return scoring.open; }

  /// e, f: gaps; t: the best score here without f. All omit the cost of opening a gap.
  __device__ Two next(Two& t, Two& e, Two& f, Two up, Two score) const {
    // Both halves are at least 0, so the subtraction borrows nothing from the upper one.
    const Two h = __vimax3_s16x2(t, f, open) - open;
    e = __viaddmax_s16x2(e, extend, h);
    f = __viaddmax_s16x2(f, extend, h);
    t = __viaddmax_s16x2(up, score, e);  // t of the next column
    return h;
  }
};

}  // namespace

void wave(const Pairs& pairs) {
  const long long largest = 1LL * pairs.longest_shorter * pairs.scoring.match + pairs.scoring.open;
  if (!fit_16_bits(pairs) || largest > 32767 || !wave_through<Cells>(pairs)) packed(pairs);
}
GPP_VARIANT(wave);

}  // namespace gpp::smith_waterman::cuda
