// Finds the plateaus of a working-set sweep: the levels of a memory hierarchy, from nothing but the
// measured rates.
//
// Within one level the rate does not depend on the working set; between two levels it falls. So the
// logarithm of the rate is a staircase with slopes, and the stairs are found by dynamic
// programming: of all ways to cover the sweep with flat stretches, the cheapest. A point outside
// every stretch costs 1; a point in one costs the square of its distance from the stretch's median,
// in units of the noise around it, but never more than 2; a stretch costs as much as
// three points outside. So a slope is not a plateau, and an odd point does not break one.
#pragma once

#include <cstddef>
#include <vector>

#include "roofline/ceilings.h"

namespace roofline {

inline constexpr std::size_t shortest_plateau = 3;  ///< points
inline constexpr double smallest_fall = 1.12;       ///< of the rate, from a plateau to the next

/// A flat stretch of a sweep: points first..last, both in it.
struct Plateau {
  std::size_t first = 0;
  std::size_t last = 0;
  double rate = 0;  ///< median of its points
};

/// Finds at most `levels` plateaus, each at least `shortest_plateau` points long, and slower by
/// `smallest_fall` at least than the one before. `sweep` is ordered by working set, in about equal
/// steps of its logarithm; points whose rate is not positive are passed over. Missing plateaus are
/// not reported.
std::vector<Plateau> find_plateaus(const std::vector<SweepPoint>& sweep, int levels);

}  // namespace roofline
