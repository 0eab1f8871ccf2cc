// From a trajectory to its chart.
#pragma once

#include <optional>
#include <string>

#include "harness/record/trajectory.h"
#include "harness/record/trajectory_lines.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/trajectory_view.h"

namespace gpp {

/// A line is shown at a level where the bytes there need at least this share of the time on some
/// number of units. Smaller traffic tells nothing of the level but its noise.
inline constexpr double least_share_of_level = 0.01;

/// Whether a line has a place at the level.
bool reaches(const TrajectoryLine& line, const std::string& level);

/// The level whose intensity a line is told with: the farthest that it reaches, else the farthest;
/// empty where it has none.
std::string shown_level(const TrajectoryLine& line);

/// Lines of one model of work at one level of memory, under the roofs of each number of units.
struct TrajectoryPicture {
  std::string subtitle;  ///< kernel, sizes, date
  roofline::TrajectoryChart chart;
};

/// At the cache or memory shared by the units that most lines reach, the farthest of these. Empty
/// where no line reaches one, or no roofs are known.
std::optional<TrajectoryPicture> trajectory_picture(const Trajectory& trajectory);

/// The same as a chart.
std::optional<roofline::Chart> trajectory_chart(const Trajectory& trajectory);

}  // namespace gpp
