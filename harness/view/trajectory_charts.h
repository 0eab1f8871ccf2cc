// The chart of a trajectory: how work moves on the roofline as more of a device is used.
//
// Each number of units (multiprocessors, cores) has its own roofs. A line straight up loses
// nothing; a line that turns left moves more bytes for the same work; steps that become shorter
// gain less from more units. Source: Ibrahim et al. 2019.
#pragma once

#include <optional>
#include <string>

#include "harness/record/trajectory_lines.h"
#include "roofline/view/chart_files.h"

namespace gpp {

/// A line is drawn at a level if the bytes there need at least this share of the time on some
/// number of units. Smaller traffic shows only noise.
inline constexpr double least_share_of_level = 0.01;

/// True if a line is drawn at the level.
bool reaches(const TrajectoryLine& line, const std::string& level);

/// The level of the intensity in texts about a line: the farthest one at which it is drawn, else
/// the farthest one; empty if it has none.
std::string shown_level(const TrajectoryLine& line);

/// The lines of one kind of work at one memory level, under the roofs of each number of units. The
/// level is the cache or memory shared by the units at which most lines are drawn, and the farthest
/// of equal ones. Empty if there is no such level, or no roofs are known.
std::optional<roofline::Chart> trajectory_chart(const Trajectory& trajectory);

}  // namespace gpp
