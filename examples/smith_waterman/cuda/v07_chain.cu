// v7 chain: a row waits for one instruction of the row above, instead of three.
//
// A vertical gap needs to open only after a match or a mismatch, because after a horizontal gap it
// costs the same as before it. So f of the next row follows from f and t, and t is known early.
// Three sums are separate instructions now, on the multiply unit, which had little to do. All else
// is as in v6.

#include "examples/smith_waterman/cuda/wave.h"

namespace gpp::smith_waterman::cuda {
namespace {

/// Adds both halves with one instruction of Hopper.
__device__ Two sum(Two a, Two b) {
#if __CUDA_ARCH__ >= 900
  Two result;
  asm("{add.s16x2 %0, %1, %2;}" : "=r"(result) : "r"(a), "r"(b));
  return result;
#else
  return __vadd2(a, b);
#endif
}

struct Cells {
  Two open, extend;

  __device__ explicit Cells(const Scoring& scoring)
      : open(two(-scoring.open, -scoring.open)), extend(two(-scoring.extend, -scoring.extend)) {}

  static __device__ int in_table(const Scoring& /*scoring*/) { return 0; }

  /// e, f: gaps; t: the best score that ends with a match or mismatch here.
  __device__ Two next(Two& t, Two& e, Two& f, Two up, Two score) const {
    const Two h = __vimax3_s16x2(t, e, f);
    const Two opened = sum(t, open);
    e = __viaddmax_s16x2_relu(e, extend, sum(h, open));  // at least 0, and so is h
    f = __viaddmax_s16x2(f, extend, opened);
    t = sum(up, score);  // t of the next column
    return h;
  }
};

}  // namespace

void chain(const Pairs& pairs) {
  const Scoring scoring = pairs.scoring;
  const bool fit = fit_16_bits(pairs) && scoring.open + scoring.extend - scoring.mismatch <= 32768;
  if (!fit || !wave_through<Cells>(pairs)) packed(pairs);
}
GPP_VARIANT(chain);

}  // namespace gpp::smith_waterman::cuda
