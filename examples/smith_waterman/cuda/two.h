// Numbers of two pairs in one register: common code of packed, wave and chain.
#pragma once

#include "examples/smith_waterman/pairs.h"
#include "runtimes/cuda/launch.h"

namespace gpp::smith_waterman::cuda {

// Earlier steps, called by variants for pairs that they cannot do.
void dpx(const Pairs& pairs);
void packed(const Pairs& pairs);

inline constexpr int threads_per_block = 128;
inline constexpr int strip = 32;  ///< rows per thread in a pass

using Two = unsigned;  ///< numbers of two pairs: the left pair in the low half

__host__ __device__ inline Two two(int left, int right) {
  return (static_cast<unsigned>(left) & 0xFFFFU) | static_cast<unsigned>(right) << 16;
}

struct Sequence {
  const std::uint8_t* letters;
  int length;

  /// The letter at a place of the sequence, or `beyond` past its end.
  __device__ int at(int place, int beyond) const {
    return place < length ? letters[place] : beyond;
  }
};

}  // namespace gpp::smith_waterman::cuda
