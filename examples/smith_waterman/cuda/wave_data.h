// The data of waves: sorted pairs, and what each pass of a warp leaves to the next.
#pragma once

#include <cstdint>

#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman::cuda {

using Two = unsigned;  // numbers of two pairs: the left pair in the low half

inline constexpr int threads_per_block = 128;
inline constexpr int lanes = 4;  // lanes that align two pairs together
inline constexpr int groups = 32 / lanes;
inline constexpr int strip = 32;                        // rows per lane in a pass
inline constexpr int together = 4;                      // rows per load of scores
inline constexpr int at_once = 4;                       // columns between tests for the end
inline constexpr int letters = beyond_second;           // letters: 0..3, and 4 past the end
inline constexpr int around = 2 * lanes + 2 * at_once;  // unused places at both ends
inline constexpr int letter_bytes = threads_per_block * static_cast<int>(sizeof(uint4));

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

}  // namespace gpp::smith_waterman::cuda
