// How a variant moves over the roofline while more of a device takes part, as tables.
#pragma once

#include <string>

#include "harness/record/trajectory_lines.h"
#include "roofline/view/table.h"
#include "roofline/view/terminal_chart.h"

namespace gpp {

/// A row for each number of units: time, speedup, efficiency, rate, intensity and its change, what
/// limits; and with them shares of the roofs measured on so many units. The caption says what ran.
roofline::ViewTable trajectory_table(const Trajectory& trajectory, const TrajectoryLine& line,
                                     bool with_shares = true);

/// These tables for the terminal, one per variant and size; then a legend, and what is missing.
std::string trajectory_text(const Trajectory& trajectory, bool colours);

/// A roofline per variant and size at the outermost level that it reaches: markers are named by the
/// number of units, under the roofs of the most of them.
std::string terminal_trajectories(const Trajectory& trajectory, const roofline::TextStyle& style);

}  // namespace gpp
