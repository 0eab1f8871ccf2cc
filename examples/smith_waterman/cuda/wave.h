// A wave: some lanes go through the tables of two pairs together, each one column behind the
// previous lane, which passes on its last row by a shuffle. Variants define what a cell computes.
#pragma once

#include <cstdint>

#include "examples/smith_waterman/cuda/two.h"

namespace gpp::smith_waterman::cuda {

inline constexpr int lanes = 4;  // lanes that align two pairs together
inline constexpr int groups = 32 / lanes;
inline constexpr int together = 4;                      // rows per load of scores
inline constexpr int at_once = 4;                       // columns between tests for the end
inline constexpr int letters = beyond_second;           // letters: 0..3, and 4 past the end
inline constexpr int around = 2 * lanes + 2 * at_once;  // unused places at both ends
inline constexpr int letter_bytes = threads_per_block * static_cast<int>(sizeof(uint4));

struct alignas(8) TwoAbove {
  Two h, f;
};

// ---- Sorted pairs, and what each pass of a warp leaves to the next ------------------------------

/// The layout of pairs.above: first, for each place of a warp, the addresses of the matches of two
/// letters; after those of all warps, the order of the pairs.
struct Scratch {
  TwoAbove* above;
  Two* codes;
  std::uint16_t* order;
  long long places, warps, bytes;

  __host__ __device__ explicit Scratch(const Pairs& pairs)
      : places(pairs.longest_columns + around),
        warps((pairs.count + 2 * groups - 1) / (2 * groups)) {
    const long long size = warps * places * groups;
    above = reinterpret_cast<TwoAbove*>(pairs.above);
    codes = reinterpret_cast<Two*>(above + size);
    order = reinterpret_cast<std::uint16_t*>(codes + size);
    bytes = 12 * size + 2LL * pairs.count;
  }
};

inline constexpr int window = 4096;  // number of pairs that are sorted together

/// Sorts pairs by rows, then by columns, in descending order.
static __global__ void __launch_bounds__(1024) order_kernel(Pairs pairs) {
  __shared__ unsigned long long keys[window];
  const int begin = static_cast<int>(blockIdx.x) * window;
  for (int i = static_cast<int>(threadIdx.x); i < window; i += 1024) {
    const int pair = begin + i;
    const auto least = lanes * together;  // rows of the smallest pass
    const auto passes = pair < pairs.count ? (pairs.rows[pair] + least - 1) / least : 0;
    const auto columns = pair < pairs.count ? pairs.columns[pair] : 0;
    keys[i] = static_cast<unsigned long long>(passes) << 44 |
              static_cast<unsigned long long>(columns) << 12 | static_cast<unsigned>(i);
  }
  for (int size = 2; size <= window; size *= 2)  // Batcher's bitonic sort
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < window / 2; i += 1024) {
        const int low = 2 * i - i % step, high = low + step;
        const auto a = keys[low], b = keys[high];
        if ((a < b) == ((low & size) == 0)) keys[low] = b, keys[high] = a;
      }
    }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < min(window, pairs.count - begin); i += 1024)
    Scratch(pairs).order[begin + i] = static_cast<std::uint16_t>(keys[i] % window);
}

/// The whole warp loads the letters of the columns and zeros above them. Place j has the numbers of
/// column j - 1 and the letters of column j, lanes - 1 further.
__device__ inline void start(Two* codes, TwoAbove* above, const Sequence (&second)[2], int lane,
                             int columns) {
  const auto code = [&](const Sequence& sequence, int column) {
    const bool inside = column >= 0 && column < sequence.length;
    return letter_bytes * (inside ? __ldg(sequence.letters + column) : letters - 1);
  };
#pragma unroll 16  // 16 loads at a time
  for (int i = lane; i < columns + around; i += lanes) {
    const int column = i - (lanes - 1);
    codes[i * groups] = two(code(second[0], column), code(second[1], column));
    above[i * groups] = {0, 0};
  }
  __syncwarp();
}

// ---- Scores -------------------------------------------------------------------------------------

inline constexpr int copies = 8;                 // copies of the table, for different banks
inline constexpr int table_size = 256 * copies;  // indexed by four match bits of each pair
inline constexpr int rows_of_four = 16;          // rows whose match bits are four numbers
inline constexpr int four_bytes = letters * letter_bytes;
inline constexpr int side_bytes = strip / rows_of_four * four_bytes;
inline constexpr std::size_t shared_bytes = table_size * sizeof(uint4) + 2 * side_bytes;

extern __shared__ uint4 table[];  // the table, followed by the matches of each thread

/// The whole block fills the table with the scores of four rows, each plus `more`.
__device__ inline void fill_table(const Scoring& scoring, int more) {
  for (int i = static_cast<int>(threadIdx.x); i < table_size; i += static_cast<int>(blockDim.x)) {
    const auto one = [&](int bit) {
      return (i / copies >> bit & 1 ? scoring.match : scoring.mismatch) + more;
    };
    const auto scores = [&](int row) { return two(one(row), one(row + together)); };
    table[i] = {scores(0), scores(1), scores(2), scores(3)};
  }
}

__device__ inline uint4 at_shared_address(unsigned address) {
  uint4 four;
  asm("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
      : "r"(address));
  return four;
}

/// The 16 bytes at this offset from the table's start in shared memory.
__device__ inline uint4& of_shared(unsigned bytes) {
  return *reinterpret_cast<uint4*>(reinterpret_cast<char*>(table) + bytes);
}

/// Stores in `matches`, for each letter in turn, which rows from `row` on contain it. A number for
/// four rows is an address in the table: bits 7 to 10 and 11 to 14 are its match bits.
template <int rows>
__device__ void mark(unsigned matches, const Sequence (&first)[2], int row, unsigned table) {
#pragma unroll
  for (int side = 0; side < 2; ++side)
#pragma unroll
    for (int begin = 0; begin < rows; begin += rows_of_four) {
      unsigned fours[letters][4] = {};
#pragma unroll
      for (int four = 0; four < 4 && begin + four * together < rows; ++four) {
        unsigned bytes = 0;  // bytes of matches per letter
#pragma unroll
        for (int r = 0; r < together; ++r) {
          const int letter = first[side].at(row + begin + four * together + r, beyond_first);
          if (letter < beyond_first) bytes |= 1U << (8 * letter + r);
        }
#pragma unroll
        for (int letter = 0; letter < letters; ++letter) {
          const unsigned bits = letter < beyond_first ? bytes >> (8 * letter) & 15U : 0;
          fours[letter][four] = (side == 0 ? table : 0) + (bits << (7 + side * together));
        }
      }
#pragma unroll
      for (int letter = 0; letter < letters; ++letter)
        of_shared(matches + side * side_bytes + begin / rows_of_four * four_bytes +
                  letter * letter_bytes) = {fours[letter][0], fours[letter][1], fours[letter][2],
                                            fours[letter][3]};
    }
}

/// The addresses in the table for two letters, from the match bits of both.
template <int rows>
__device__ void find(unsigned (&addresses)[strip / together], unsigned matches, Two codes) {
  const unsigned left = __dp2a_lo(codes, 0x0001U, matches);   // adds the low half of matches
  const unsigned right = __dp2a_lo(codes, 0x0100U, matches);  // adds the high half of matches
#pragma unroll
  for (int begin = 0; begin < rows; begin += rows_of_four) {
    const int piece = begin / rows_of_four;
    const uint4 a = of_shared(left + piece * four_bytes);
    const uint4 b = of_shared(right + piece * four_bytes + side_bytes);
    const unsigned sums[] = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
#pragma unroll
    for (int i = 0; i < 4 && begin + i * together < rows; ++i) addresses[4 * piece + i] = sums[i];
  }
}

// ---- A lane -------------------------------------------------------------------------------------

/// A load that the compiler does not move.
__device__ inline Two loaded(const Two* code) {
  Two number;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(number) : "l"(code));
  return number;
}

/// Returns the number of the previous lane; the first lane of a group gets `passed`.
__device__ inline Two from_lane_before(Two number, Two passed) {
  Two result;
  asm volatile(
      "{.reg .pred inside; shfl.sync.up.b32 %0|inside, %1, 1, %3, 0xFFFFFFFF;"
      " @!inside mov.b32 %0, %2;}"
      : "=&r"(result)
      : "r"(number), "r"(passed), "n"((32 - lanes) << 8));
  return result;
}

/// One lane's part of two pairs.
struct Lane {
  int pair[2];
  Sequence first[2];
  int rows, columns;  // size of the longest pair in the warp
  Two best = 0;
  unsigned own_table, own_matches;  // an address, and an offset from the table's start in bytes
  TwoAbove* above;                  // first output of the group's last lane
  const Two* code;

  __device__ Lane(const Pairs& pairs, const Scratch& scratch, long long warp) {
    const int thread = static_cast<int>(threadIdx.x), of_group = thread % lanes;
    const int group = thread % 32 / lanes;
    Sequence second[2];
    for (int side = 0; side < 2; ++side) {
      const int any = static_cast<int>(min(2 * (warp * groups + group) + side, pairs.count - 1LL));
      const int one = pair[side] = any / window * window + scratch.order[any];
      first[side] = {pairs.letters + pairs.first[one], pairs.rows[one]};
      second[side] = {pairs.letters + pairs.second[one], pairs.columns[one]};
    }
    rows = __reduce_max_sync(~0U, max(first[0].length, first[1].length));
    columns = __reduce_max_sync(~0U, max(second[0].length, second[1].length));
    above = scratch.above + warp * scratch.places * groups + group;
    Two* const codes = scratch.codes + warp * scratch.places * groups + group;
    start(codes, above, second, of_group, columns);
    code = codes + (lanes - 1 - of_group) * groups;
    own_table = static_cast<unsigned>(__cvta_generic_to_shared(table + thread % copies));
    own_matches = (table_size + thread) * sizeof(uint4);
  }
};

/// Moves the group through all columns, with `size` rows per lane from `row` on.
template <int size, class Cells>
__device__ void pass(Lane& lane, const Cells& cells, int row, int store) {
  asm volatile("" : "+r"(store));  // keep this value in a register
  mark<size>(lane.own_matches, lane.first, row, lane.own_table);
  __syncwarp();

  TwoAbove* above = lane.above;
  const Two* code = lane.code;
  unsigned addresses[strip / together];
  find<size>(addresses, lane.own_matches, loaded(code));
  // The letters of the next two steps. Each is loaded two steps before its use.
  Two codes[2] = {loaded(code + groups), loaded(code + 2 * groups)};
  TwoAbove passed[2] = {above[(lanes - 1) * groups], above[lanes * groups]};
  Two t[size] = {}, e[size] = {}, up = 0, f = 0;
  for (int step = 0; step < lane.columns + lanes; step += at_once) {
#pragma unroll
    for (int s = 0; s < at_once; ++s) {
      up = from_lane_before(up, passed[s % 2].h);
      f = from_lane_before(f, passed[s % 2].f);
      uint4 scores[size / together];
#pragma unroll
      for (int i = 0; i < size / together; ++i) scores[i] = at_shared_address(addresses[i]);
      find<size>(addresses, lane.own_matches, codes[s % 2]);
      codes[s % 2] = loaded(code + (3 + s) * groups);
      passed[s % 2] = above[(lanes + 1 + s) * groups];
      Two before = 0;
#pragma unroll
      for (int r = 0; r < size; ++r) {
        const uint4 rows = scores[r / together];
        const Two score[] = {rows.x, rows.y, rows.z, rows.w};
        const Two h = cells.next(t[r], e[r], f, up, score[r % together]);
        if (r % 2 == 1) lane.best = __vimax3_s16x2(lane.best, before, h);
        before = up = h;
      }
      if (store != 0) above[s * groups] = {up, f};
    }
    above += at_once * groups;
    code += at_once * groups;
  }
  __syncwarp();
}

/// The last pass, with only as many rows per lane as needed.
template <int size, class Cells>
__device__ void last_pass(Lane& lane, const Cells& cells, int top, int of_group) {
  const int rows = (lane.rows - top + lanes - 1) / lanes;  // rows per lane
  if (rows > size - together)
    pass<size>(lane, cells, top + of_group * size, 0);
  else if constexpr (size > together)
    last_pass<size - together>(lane, cells, top, of_group);
}

template <class Cells>
__global__ void __launch_bounds__(threads_per_block, 3) wave_kernel(Pairs pairs) {
  fill_table(pairs.scoring, Cells::in_table(pairs.scoring));
  __syncthreads();

  const int thread = static_cast<int>(threadIdx.x), of_group = thread % lanes;
  const long long warp = (1LL * blockIdx.x * threads_per_block + thread) / 32;
  const Scratch scratch(pairs);
  if (warp >= scratch.warps) return;
  Lane lane(pairs, scratch, warp);
  const Cells cells(pairs.scoring);
  int top = 0;
  for (; lane.rows - top > lanes * strip; top += lanes * strip)
    pass<strip>(lane, cells, top + of_group * strip, of_group == lanes - 1);
  last_pass<strip>(lane, cells, top, of_group);

  for (int d = 1; d < lanes; d *= 2)
    lane.best = __vmaxs2(lane.best, __shfl_xor_sync(~0U, lane.best, d));
  pairs.score[lane.pair[0]] = static_cast<int>(lane.best & 0xFFFFU);
  pairs.score[lane.pair[1]] = static_cast<int>(lane.best >> 16);
}

/// Runs the wave. Returns false if memory was too small. All numbers must fit into 16 bits.
template <class Cells>
bool wave_through(const Pairs& pairs) {
  using namespace gpp::cuda;
  const Scratch scratch(pairs);
  if (scratch.bytes > 8LL * pairs.count * pairs.longest_columns) return false;
  launch(order_kernel, Shape{blocks_for(pairs.count, window), 1024}, pairs);
  const int threads = static_cast<int>(32 * scratch.warps);
  launch(wave_kernel<Cells>,
         Shape{blocks_for(threads, threads_per_block), threads_per_block, shared_bytes}, pairs);
  return true;
}

}  // namespace gpp::smith_waterman::cuda
