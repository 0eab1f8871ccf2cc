// What the waves need around them: an order of the pairs, memory, and scores.
#pragma once

#include <cstdint>

#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman::cuda {

using Two = unsigned;  // numbers of two pairs: the left one's in the low half

inline constexpr int threads_per_block = 128;
inline constexpr int lanes = 8;  // that align two pairs together
inline constexpr int groups = 32 / lanes;
inline constexpr int together = 4;               // rows whose scores are one load
inline constexpr int copies = 8;                 // of the table: no two lanes share a bank
inline constexpr int table_size = 256 * copies;  // by four bits of each of the two pairs
inline constexpr int letters = beyond_second;    // of columns: 0..3, and 4 beyond the end
inline constexpr int around = 2 * lanes + 4;     // places before and behind a warp's columns
inline constexpr int letter_bytes = threads_per_block * static_cast<int>(sizeof(uint4));
inline constexpr int side_bytes = letters * letter_bytes;  // of the matches in shared memory

struct alignas(8) TwoAbove {
  Two h, f;
};

__host__ __device__ inline Two two(int left, int right) {
  return (static_cast<unsigned>(left) & 0xFFFFU) | static_cast<unsigned>(right) << 16;
}

struct Sequence {
  const std::uint8_t* letters;
  int length;

  __device__ int at(int place, int beyond) const {
    return place >= 0 && place < length ? letters[place] : beyond;
  }
};

/// What lies in pairs.above: numbers of each place of a warp, letters of its left and right pairs,
/// then the order of the pairs.
struct Scratch {
  TwoAbove* above;
  std::uint16_t *codes, *order;
  long long places, warps, bytes;

  __host__ __device__ explicit Scratch(const Pairs& pairs)
      : places(pairs.longest_columns + around),
        warps((pairs.count + 2 * groups - 1) / (2 * groups)) {
    const long long size = warps * places * groups;
    above = reinterpret_cast<TwoAbove*>(pairs.above);
    codes = reinterpret_cast<std::uint16_t*>(above + size);
    order = codes + 2 * size;
    bytes = 12 * size + 2LL * pairs.count;
  }
};

inline constexpr int window = 4096;  // pairs that are sorted at once

/// Sorts by rows, then columns, falling.
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

/// By the whole warp: letters of the columns, as where their matches are, and zeros above them.
/// Place j is of the numbers of column j - 1 and the letters of column j.
__device__ inline void start(std::uint16_t* codes, TwoAbove* above, const Sequence (&second)[2],
                             int lane, int columns) {
  for (int i = lane; i < columns + around; i += lanes) {
    for (int side = 0; side < 2; ++side)
      codes[(2 * i + side) * groups] =
          static_cast<std::uint16_t>(letter_bytes * second[side].at(i - (lanes - 1), letters - 1));
    above[i * groups] = {0, 0};
  }
  __syncwarp();
}

extern __shared__ uint4 table[];  // and behind it the matches of each thread

/// By the whole block. The cost of opening a gap is added to all scores.
__device__ inline void fill_table(const Scoring& scoring) {
  for (int i = static_cast<int>(threadIdx.x); i < table_size; i += static_cast<int>(blockDim.x)) {
    const auto one = [&](int bit) {
      return (i / copies >> bit & 1 ? scoring.match : scoring.mismatch) + scoring.open;
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

/// What lies so many bytes behind the table's beginning.
__device__ inline uint4& of_shared(unsigned bytes) {
  return *reinterpret_cast<uint4*>(reinterpret_cast<char*>(table) + bytes);
}

/// For each letter, one behind the other in `matches`: which of the rows from `row` on have it. A
/// number of four rows is an address in the table: bits 7 to 10 and 11 to 14 are the matches.
template <int rows>
__device__ void mark(unsigned matches, const Sequence (&first)[2], int row, unsigned table) {
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    unsigned fours[letters][4] = {};
#pragma unroll
    for (int four = 0; four < rows / together; ++four) {
      unsigned bytes = 0;  // one for each letter
#pragma unroll
      for (int r = 0; r < together; ++r) {
        const int letter = first[side].at(row + four * together + r, beyond_first);
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
      of_shared(matches + side * side_bytes + letter * letter_bytes) = {
          fours[letter][0], fours[letter][1], fours[letter][2], fours[letter][3]};
  }
}

/// A load that needs no mask afterwards, as the compiler's would.
__device__ inline unsigned loaded(const std::uint16_t* code) {
  unsigned number;
  asm volatile("ld.global.u16 %0, [%1];" : "=r"(number) : "l"(code));
  return number;
}

/// The number of the lane before; the first lane of a group gets `passed`.
__device__ inline Two from_lane_before(Two number, Two passed) {
  Two result;
  asm volatile(
      "{.reg .pred inside; shfl.sync.up.b32 %0|inside, %1, 1, %3, 0xFFFFFFFF;"
      " @!inside mov.b32 %0, %2;}"
      : "=&r"(result)
      : "r"(number), "r"(passed), "n"((32 - lanes) << 8));
  return result;
}

/// A lane's part of its two pairs.
struct Lane {
  int pair[2];
  Sequence first[2];
  int rows, columns;  // of the longest in the warp
  Two open, extend, best = 0;
  unsigned own_table, own_matches;  // an address, and bytes behind the table's beginning
  TwoAbove* above;                  // what the group's last lane writes first
  const std::uint16_t* code;

  __device__ Lane(const Pairs& pairs, const Scratch& scratch, long long warp)
      : open(two(pairs.scoring.open, pairs.scoring.open)),
        extend(two(-pairs.scoring.extend, -pairs.scoring.extend)) {
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
    std::uint16_t* const codes = scratch.codes + 2 * warp * scratch.places * groups + group;
    start(codes, above, second, of_group, columns);
    code = codes + (lanes - 1 - of_group) * 2 * groups;
    own_table = static_cast<unsigned>(__cvta_generic_to_shared(table + thread % copies));
    own_matches = (table_size + thread) * sizeof(uint4);
  }
};

}  // namespace gpp::smith_waterman::cuda
