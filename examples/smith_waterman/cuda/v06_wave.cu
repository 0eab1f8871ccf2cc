// v6 wave: eight lanes go through a table together, like a wave.
//
// Each lane has sixteen rows and is a column behind the lane before, which shuffles its last row
// over: only every 128th row goes through global memory. One load from a table in shared memory has
// the scores of four rows; four bits of each pair, made once for a strip and each letter, say where
// letters match. Pairs are sorted, so that a warp's are about as long as each other. What v5 leaves
// to v4 is left to it here, too.

#include "examples/smith_waterman/cuda/earlier.h"
#include "examples/smith_waterman/cuda/wave.h"
#include "examples/smith_waterman/pairs.h"
#include "runtimes/cuda/launch.h"

namespace gpp::smith_waterman::cuda {
namespace {

constexpr int blocks_at_once = 4;  // on a multiprocessor
constexpr int strip = 16;          // rows of a lane

/// A pass of the group through all columns: `size` rows of a lane, from `row` on.
template <int size>
__device__ void pass(Lane& lane, int row, int store) {
  asm volatile("" : "+r"(store));  // is not found again for each step
  mark<size>(lane.own_matches, lane.first, row, lane.own_table);
  __syncwarp();

  uint4 four;  // addresses in the table
  const auto find = [&](unsigned left_code, unsigned right_code) {
    const uint4 left = of_shared(lane.own_matches + left_code);
    const uint4 right = of_shared(lane.own_matches + right_code + side_bytes);
    four = {left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w};
  };
  TwoAbove* above = lane.above;
  const std::uint16_t* code = lane.code;
  find(loaded(code), loaded(code + groups));
  // Of the steps to come: all is loaded two steps before.
  unsigned left[2] = {loaded(code + 2 * groups), loaded(code + 4 * groups)};
  unsigned right[2] = {loaded(code + 3 * groups), loaded(code + 5 * groups)};
  TwoAbove passed[2] = {above[(lanes - 1) * groups], above[lanes * groups]};
  Two t[size] = {}, e[size] = {};  // the best that end in a row, but for f; e, f: gaps.
  Two up = 0, f = 0;               // All without the cost of opening.
  for (int step = 0; step < lane.columns + lanes; step += 2) {
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      up = from_lane_before(up, passed[s].h);
      f = from_lane_before(f, passed[s].f);
      const unsigned addresses[] = {four.x, four.y, four.z, four.w};
      uint4 scores[size / together];
#pragma unroll
      for (int i = 0; i < size / together; ++i) scores[i] = at_shared_address(addresses[i]);
      find(left[s], right[s]);
      left[s] = loaded(code + (6 + 2 * s) * groups);
      right[s] = loaded(code + (7 + 2 * s) * groups);
      passed[s] = above[(lanes + 1 + s) * groups];
      Two before = 0;
#pragma unroll
      for (int r = 0; r < size; ++r) {
        const uint4 rows = scores[r / together];
        const Two score[] = {rows.x, rows.y, rows.z, rows.w};
        // At least 0 in both halves, so a plain difference borrows nothing from the upper one.
        const Two h = __vimax3_s16x2(t[r], f, lane.open) - lane.open;
        e[r] = __viaddmax_s16x2(e[r], lane.extend, h);
        f = __viaddmax_s16x2(f, lane.extend, h);
        t[r] = __viaddmax_s16x2(up, score[r % together], e[r]);  // of the next column
        if (r % 2 == 1) lane.best = __vimax3_s16x2(lane.best, before, h);
        before = up = h;
      }
      if (store != 0) above[s * groups] = {up, f};
    }
    above += 2 * groups;
    code += 4 * groups;
  }
  __syncwarp();
}

__global__ void __launch_bounds__(threads_per_block, blocks_at_once) wave_kernel(Pairs pairs) {
  fill_table(pairs.scoring);
  __syncthreads();

  const int thread = static_cast<int>(threadIdx.x), of_group = thread % lanes;
  const long long warp = (1LL * blockIdx.x * threads_per_block + thread) / 32;
  const Scratch scratch(pairs);
  if (warp >= scratch.warps) return;
  Lane lane(pairs, scratch, warp);
  int top = 0;
  for (; lane.rows - top > lanes * (strip - together); top += lanes * strip)
    pass<strip>(lane, top + of_group * strip,
                of_group == lanes - 1 && lane.rows - top > lanes * strip);
  const int rest = (lane.rows - top + lanes - 1) / lanes;  // of a lane
  if (rest > 8)
    pass<12>(lane, top + of_group * 12, 0);
  else if (rest > 4)
    pass<8>(lane, top + of_group * 8, 0);
  else if (rest > 0)
    pass<4>(lane, top + of_group * 4, 0);

  for (int d = 1; d < lanes; d *= 2)
    lane.best = __vmaxs2(lane.best, __shfl_xor_sync(~0U, lane.best, d));
  pairs.score[lane.pair[0]] = static_cast<int>(lane.best & 0xFFFFU);
  pairs.score[lane.pair[1]] = static_cast<int>(lane.best >> 16);
}

}  // namespace

void wave(const Pairs& pairs) {
  using namespace gpp::cuda;
  const long long largest = 1LL * pairs.longest_shorter * pairs.scoring.match + pairs.scoring.open;
  const Scratch scratch(pairs);
  const bool room = scratch.bytes <= 8LL * pairs.count * pairs.longest_columns;
  if (!room || !fit_16_bits(pairs) || largest > 32767) return packed(pairs);
  launch(order_kernel, Shape{blocks_for(pairs.count, window), 1024}, pairs);
  const int threads = static_cast<int>(32 * scratch.warps);
  launch(wave_kernel,
         Shape{blocks_for(threads, threads_per_block), threads_per_block,
               table_size * sizeof(uint4) + 2 * side_bytes},
         pairs);
}

}  // namespace gpp::smith_waterman::cuda
