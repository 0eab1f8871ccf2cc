// A table of how variants move on the roofline as more of a device is used.
#pragma once

#include <string>

#include "harness/record/trajectory_lines.h"
#include "roofline/base/table.h"

namespace gpp {

/// A row for each variant, size and number of units: time, speedup, efficiency, rate, the intensity
/// at the outermost level with traffic and its change, and the limit.
roofline::Table trajectory_table(const Trajectory& trajectory);

/// The table for the terminal with a list of missing parts.
std::string trajectory_text(const Trajectory& trajectory, bool colours);

}  // namespace gpp
