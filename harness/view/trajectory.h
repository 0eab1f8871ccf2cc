// A table of how variants move on the roofline as more of a device is used.
#pragma once

#include <string>

#include "harness/record/trajectory_lines.h"
#include "roofline/base/table.h"

namespace gpp {

/// A row for each variant, size and number of units: time, speedup, efficiency, rate, the intensity
/// at the outermost level with traffic and its change, shares of the roofs measured on that many
/// units, and the limit. The caption names variants and device.
roofline::Table trajectory_table(const Trajectory& trajectory);

/// The table for the terminal with a legend and a list of missing parts.
std::string trajectory_text(const Trajectory& trajectory, bool colours);

}  // namespace gpp
