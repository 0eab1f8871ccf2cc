// v4 dpx: CUDA's DPX intrinsics add and compare two or three numbers in one instruction.
//
// Gaps are stored without their opening cost, e = E + open and f = F + open, so that one
// instruction updates each, and another subtracts the cost. The best score is updated every second
// row for two rows at once. Hopper has these instructions; earlier GPUs emulate them.

#include "examples/smith_waterman/cuda/strips.cuh"

namespace gpp::smith_waterman::cuda {
namespace {

constexpr int strip = 16;

__global__ void __launch_bounds__(threads_of_pairs) kernel(Pairs pairs) {
  const int pair = static_cast<int>(blockIdx.x * threads_of_pairs + threadIdx.x);
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
        up.f = __viaddmax_s32(up.f, -scoring.extend, up.h);
        e[r] = __viaddmax_s32(e[r], -scoring.extend, h[r]);
        up.h = __viaddmax_s32_relu(max(e[r], up.f), -scoring.open, diagonal + score);
        diagonal = h[r];
        h[r] = up.h;
      }
      above[j * stride] = up;
#pragma unroll
      for (int r = 0; r < strip; r += 2) best = __vimax3_s32(best, h[r], h[r + 1]);
    }
  }
  pairs.score[pair] = best;
}

}  // namespace

void dpx(const Pairs& pairs) { launch_for_pairs(kernel, pairs); }
GPP_VARIANT(dpx);

}  // namespace gpp::smith_waterman::cuda
