// A trajectory as text: a table for each variant and size, and small rooflines.
#pragma once

#include <string>

#include "harness/record/trajectory.h"
#include "roofline/charts/terminal.h"

namespace gpp {

/// One table per variant and size: time, speedup, efficiency, rate, intensity and its change,
/// shares of the roofs measured on so many units, and what limits. Then a legend, and what is lost.
std::string trajectory_table(const Trajectory& trajectory, bool colours);

/// A roofline per variant and size at the outermost level that it reaches: markers are named by the
/// number of units, under the roofs of the most of them.
std::string terminal_trajectories(const Trajectory& trajectory, const roofline::TextStyle& style);

}  // namespace gpp
