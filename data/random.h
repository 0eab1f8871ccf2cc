// Random numbers that are a function of their index: array elements share no state, so any number
// of cores fills an array with the same bits.
//
// The generator is SplitMix64 (Steele et al. 2014), started from a hash of (seed, stream, index).
// It uses integers and one exact conversion, so every machine gives the same numbers.
#pragma once

#include <cstdint>

namespace gpp {

/// The random numbers of element `index` in one `stream` (one array) for one `seed`.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
      : state_(mix(mix(mix(seed + step) ^ stream) + index * step)) {}

  std::uint64_t bits() { return mix(state_ += step); }

  /// 0 <= x < 1, a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace gpp
