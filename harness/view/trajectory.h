// How variants move over the roofline while more of a device takes part, as a table.
#pragma once

#include <string>

#include "harness/record/trajectory_lines.h"
#include "roofline/view/table.h"

namespace gpp {

/// A row for each variant and size on each number of units: time, speedup, efficiency, rate, the
/// intensity at the outermost level that the variant reaches and its change, shares of the roofs
/// measured on so many units, what limits. The caption says what ran where.
roofline::ViewTable trajectory_table(const Trajectory& trajectory);

/// The table for the terminal, a legend, and what is missing.
std::string trajectory_text(const Trajectory& trajectory, bool colours);

}  // namespace gpp
