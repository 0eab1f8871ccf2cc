// How variants move on the roofline as more of a device is used: a table and a chart.
//
// Each number of units (multiprocessors, cores) has its own roofs. A line straight up loses
// nothing: the rate grows with the units at constant intensity. A line that turns left moves more
// bytes for the same work, because more units share caches of the same size. Source: Ibrahim et al.
// 2019.
//
// All is shown at one level: the cache or memory shared by the units at which most lines spend at
// least 1% of their time, the farthest of equal ones.
#pragma once

#include <optional>
#include <string>

#include "harness/record/trajectory.h"
#include "roofline/base/table.h"
#include "roofline/view/chart.h"

namespace gpp {

/// A row for each variant, size and number of units: time, speedup, efficiency, rate, intensity and
/// its change, and the limit.
roofline::Table trajectory_table(const Trajectory& trajectory);

/// The table for the terminal with a list of missing parts.
std::string trajectory_text(const Trajectory& trajectory, bool colours);

/// A line for each variant and size under the roofs of each number of units. Empty without roofs or
/// counts.
std::optional<roofline::Chart> trajectory_chart(const Trajectory& trajectory);

}  // namespace gpp
