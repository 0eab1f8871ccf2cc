// v5 packed: a thread aligns two pairs, in the halves of 32-bit registers.
//
// A 16-bit DPX instruction computes two cells. A byte permutation finds both scores at once, from
// four bytes per pair that hold the scores of the column's letter against the four letters. Half as
// many threads leave registers for strips of 32 rows. Pairs whose scores may exceed 16 bits go to
// v4.

#include "examples/smith_waterman/cuda/two.h"

namespace gpp::smith_waterman::cuda {
namespace {

/// The scores of a column's letter against each of the four letters, one byte each.
__device__ unsigned scores_against(int letter, const Scoring& scoring) {
  const unsigned mismatches = 0x01010101U * (static_cast<unsigned>(scoring.mismatch) & 0xFFU);
  const unsigned difference = static_cast<unsigned>(scoring.match ^ scoring.mismatch) & 0xFFU;
  return mismatches ^ (letter < beyond_first ? difference << (8 * letter) : 0U);
}

/// The selector puts the byte of a row's letter into the low byte of a half and copies of its sign
/// into the high byte. Past the end it selects only the sign, 0 or -1, so these rows never score.
__device__ unsigned selector(int letter, unsigned from) {
  if (letter == beyond_first) return 0x88U | 0x11U * from;
  const unsigned byte = from + static_cast<unsigned>(letter);
  return (8U | byte) << 4 | byte;
}

/// The bytes that the selector picks from left (0 to 3) and right (4 to 7).
__device__ Two picked(unsigned left, unsigned right, unsigned selector) {
  Two bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(left), "r"(right), "r"(selector));
  return bytes;
}

__global__ void __launch_bounds__(threads_per_block) kernel(Pairs pairs) {
  const int thread = static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
  const int left = 2 * thread, right = min(left + 1, pairs.count - 1);
  if (left >= pairs.count) return;
  const Sequence left_first{pairs.letters + pairs.first[left], pairs.rows[left]};
  const Sequence left_second{pairs.letters + pairs.second[left], pairs.columns[left]};
  const Sequence right_first{pairs.letters + pairs.first[right], pairs.rows[right]};
  const Sequence right_second{pairs.letters + pairs.second[right], pairs.columns[right]};
  const int rows = max(left_first.length, right_first.length);
  const int columns = max(left_second.length, right_second.length);
  const Two open = two(pairs.scoring.open, pairs.scoring.open),
            extend = two(-pairs.scoring.extend, -pairs.scoring.extend);
  Above* const above = pairs.above + thread;
  const long long stride = pairs.count;

  Two best = 0;
  for (int top = 0; top < rows; top += strip) {
    unsigned selectors[strip];
    Two h[strip] = {}, e[strip] = {};
#pragma unroll
    for (int r = 0; r < strip; ++r)
      selectors[r] = selector(left_first.at(top + r, beyond_first), 0) |
                     selector(right_first.at(top + r, beyond_first), 4) << 8;
    Two corner = 0;
    for (int j = 0; j < columns; ++j) {
      const unsigned left_scores = scores_against(left_second.at(j, beyond_second), pairs.scoring);
      const unsigned right_scores =
          scores_against(right_second.at(j, beyond_second), pairs.scoring);
      const Above passed = top > 0 ? above[j * stride] : Above{0, 0};
      Two up = static_cast<Two>(passed.h), f = static_cast<Two>(passed.f), diagonal = corner;
      corner = up;
#pragma unroll
      for (int r = 0; r < strip; ++r) {
        f = __viaddmax_s16x2(f, extend, up);
        e[r] = __viaddmax_s16x2(e[r], extend, h[r]);
        // Both halves are at least 0, so the subtraction borrows nothing from the upper one.
        const Two gap = __vimax3_s16x2(e[r], f, open) - open;
        up = __viaddmax_s16x2(diagonal, picked(left_scores, right_scores, selectors[r]), gap);
        diagonal = h[r];
        h[r] = up;
      }
      above[j * stride] = {static_cast<int>(up), static_cast<int>(f)};
#pragma unroll
      for (int r = 0; r < strip; r += 2) best = __vimax3_s16x2(best, h[r], h[r + 1]);
    }
  }
  pairs.score[left] = static_cast<int>(best & 0xFFFFU);
  pairs.score[right] = static_cast<int>(best >> 16);
}

}  // namespace

void packed(const Pairs& pairs) {
  if (!fit_16_bits(pairs)) return dpx(pairs);
  gpp::cuda::launch_for((pairs.count + 1) / 2, threads_per_block, kernel, pairs);
}
GPP_VARIANT(packed);

}  // namespace gpp::smith_waterman::cuda
