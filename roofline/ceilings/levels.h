// From a sweep to the ceilings of its levels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/ceilings/plateaus.h"

namespace roofline {

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
