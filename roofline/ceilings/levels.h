// Finds the plateaus of a working-set sweep: the levels of a memory hierarchy, from nothing but the
// measured rates.
//
// Within one level the rate does not depend on the working set; between two levels it falls. So the
// logarithm of the rate is a staircase with slopes, and the stairs are found by dynamic
// programming: of all ways to cover the sweep with flat stretches, the cheapest. A point outside
// every stretch costs 1; a point in one costs the square of its distance from the stretch's median,
// in units of the noise around it, but never more than 2; a stretch costs as much as
// three points outside. So a slope is not a plateau, and an odd point does not break one. The
// plateaus, named, become the ceilings of the levels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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

/// A level of memory as known before the sweep.
struct LevelDescription {
  std::string name;                        ///< "l1"
  std::string label;                       ///< "L1"
  double capacity = 0;                     ///< bytes of working set that fit; 0: not known
  std::optional<double> theoretical = {};  ///< B/s
  /// Bytes of the smallest working set that nothing nearer serves; 0: not known. A level that has
  /// this and a capacity is measured between the two, and needs no plateau.
  double from = 0;
};

/// Names the plateaus of a sweep, which begins within the nearest cache and ends far beyond the
/// last. The first plateau is the first level. One that reaches to within an eighth of the largest
/// working set is the last level. Any other is the first unassigned level whose capacity covers the
/// plateau's midpoint, or just the next one where capacities are not known. Every point of the
/// sweep goes to the ceiling whose plateau ends it; points after the last plateau go to the last
/// ceiling. `definition` describes the run.
///
/// Where a level's own sets are known (at most one's may be), its rate is the median of these. They
/// divide the sweep: plateaus of nearer levels are sought before them, those of farther ones behind
/// them. So a stair before or within them misleads nobody, and devices, or parts of one, are
/// compared by the same sets. A level that is not faster than the next by a plateau's step is not
/// there.
std::vector<Ceiling> ceilings_of_sweep(const std::vector<SweepPoint>& sweep,
                                       const std::vector<LevelDescription>& levels,
                                       double clock_mhz, const std::string& definition);

/// Adds these to a device's ceilings, and says of each level that was not found that it is missing.
void add_bandwidths(Ceilings& ceilings, const std::vector<SweepPoint>& sweep,
                    const std::vector<LevelDescription>& levels, double clock_mhz,
                    const std::string& definition);

}  // namespace roofline
