// Finds the plateaus in a working-set sweep, which are the levels of a memory hierarchy, from
// measured rates alone.
//
// Within a level, the rate does not depend on the working set; between levels it falls. So the
// logarithm of the rate is a staircase with slopes, and dynamic programming finds the cheapest
// cover of the sweep by flat stretches. A point outside all stretches costs 1. A point in a stretch
// costs the square of its distance from the stretch's median, in units of the local noise, but at
// most 2. A stretch costs as much as three points outside. So a slope is not a plateau, and an
// outlier does not break one. The named plateaus become the ceilings of the levels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"

namespace roofline {

inline constexpr std::size_t shortest_plateau = 3;  ///< number of points
inline constexpr double smallest_fall = 1.12;       ///< ratio of neighbouring plateaus' rates

/// A flat stretch of a sweep, from point `first` to point `last` inclusive.
struct Plateau {
  std::size_t first = 0;
  std::size_t last = 0;
  double rate = 0;  ///< median rate of its points
};

/// Finds at most `levels` plateaus. Each has at least `shortest_plateau` points and is slower than
/// the previous one by at least `smallest_fall`. `sweep` is sorted by working set, in about equal
/// logarithmic steps; points without a positive rate are skipped. Missing plateaus are not
/// reported.
std::vector<Plateau> find_plateaus(const std::vector<SweepPoint>& sweep, int levels);

/// What is known about a memory level before the sweep.
struct LevelDescription {
  std::string name;                        ///< "l1"
  std::string label;                       ///< "L1"
  double capacity = 0;                     ///< largest working set that fits, bytes; 0: unknown
  std::optional<double> theoretical = {};  ///< theoretical bandwidth, B/s
  /// The smallest working set in bytes that no nearer level serves; 0: unknown. A level with this
  /// and a capacity is measured between the two and needs no plateau.
  double from = 0;
};

/// Assigns the plateaus of a sweep to levels. The sweep must begin within the nearest cache and end
/// far beyond the last one. The first plateau is the first level. A plateau that ends within an
/// eighth of the largest working set is the last level. Any other one is the first unassigned level
/// whose capacity covers its midpoint, or the next level if capacities are unknown. Each point
/// belongs to the ceiling whose plateau ends it; points after the last plateau belong to the last
/// ceiling. `definition` describes the run.
///
/// If a level's own sets are known (for at most one level), its rate is their median. They divide
/// the sweep: plateaus of nearer levels are searched before them, those of farther levels after
/// them. So a step before or within them does no harm, and devices or parts of one are compared by
/// the same sets. A level that is not faster than the next one by a plateau's step is treated as
/// missing.
std::vector<Ceiling> ceilings_of_sweep(const std::vector<SweepPoint>& sweep,
                                       const std::vector<LevelDescription>& levels,
                                       double clock_mhz, const std::string& definition);

/// Adds these bandwidths to a device's ceilings, and reports each level without one as missing.
void add_bandwidths(Ceilings& ceilings, const std::vector<SweepPoint>& sweep,
                    const std::vector<LevelDescription>& levels, double clock_mhz,
                    const std::string& definition);

}  // namespace roofline
