// Limits of the numbers in a record. They are wide: no machine comes near them. Beyond them,
// derived values would not be finite and drawings would not end.
#pragma once

#include <cstddef>

namespace roofline {

struct Bounds {
  double low = 0;
  double high = 0;

  bool hold(double value) const { return value >= low && value <= high; }
};

namespace bounds {
inline constexpr Bounds finite{-1.7e308, 1.7e308};
inline constexpr Bounds not_negative{0, 1.7e308};
inline constexpr Bounds run_seconds{1e-9, 1e7};     ///< duration of a timed run
inline constexpr Bounds launch_seconds{1e-12, 10};  ///< duration of one launch
inline constexpr Bounds seconds{0, 1e9};
inline constexpr Bounds clock_mhz{0, 1e6};
inline constexpr Bounds count{0, 1e24};  ///< number of events, operations or bytes
inline constexpr Bounds metric{-1e24, 1e24};
inline constexpr Bounds share{0, 1};
inline constexpr Bounds scale{0, 1e12};
inline constexpr Bounds roof{1e3, 1e18};  ///< a roof in FLOP/s or B/s
inline constexpr Bounds sweep{0, 1e18};   ///< a point of a sweep, bytes or B/s

inline constexpr long long small = 1'000'000;                  ///< small counts, such as of cores
inline constexpr long long large = 1'000'000'000'000'000'000;  ///< bytes, blocks, terms
inline constexpr std::size_t list = 1'000'000;                 ///< elements of any list
inline constexpr std::size_t results = 1'000;                  ///< results drawn side by side
inline constexpr std::size_t ceilings = 100;
inline constexpr std::size_t name_length = 200;
inline constexpr std::size_t text_length = 100'000;
}  // namespace bounds

}  // namespace roofline
