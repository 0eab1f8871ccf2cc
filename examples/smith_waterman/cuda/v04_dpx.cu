// v4 dpx: CUDA's DPX intrinsics add and compare two or three numbers in one instruction.
//
// Gaps are stored without their opening cost, e = E + open and f = F + open, so that one
// instruction updates each, and another subtracts the cost. The best score is updated every second
// row for two rows at once. Hopper has these instructions; earlier GPUs emulate them.

#include "examples/smith_waterman/cuda/strips.cuh"

namespace gpp::smith_waterman::cuda {
namespace {

struct DpxCells {
  static __device__ void next(const Scoring& scoring, Above& up, int& e, int left, int matched) {
    up.f = __viaddmax_s32(up.f, -scoring.extend, up.h);
    e = __viaddmax_s32(e, -scoring.extend, left);
    up.h = __viaddmax_s32_relu(max(e, up.f), -scoring.open, matched);
  }
  static __device__ int best(int best, int row, int before, int h) {
    return row % 2 == 0 ? best : __vimax3_s32(best, before, h);
  }
};

}  // namespace

void dpx(const Pairs& pairs) { align<16, true, DpxCells>(pairs); }
GPP_VARIANT(dpx);

}  // namespace gpp::smith_waterman::cuda
