// Draws rooflines as text at the end of a study.
#pragma once

#include <string>

#include "roofline/view/roofline_chart.h"

namespace roofline {

/// Draws the roofline of steps in 78 columns: roofs, and a marker with the step's number for each
/// level, with a ~ if it was computed, not counted. Steps in one place share a marker. `what` names
/// the program.
std::string terminal_roofline(const RooflineChart& chart, const std::string& what);

}  // namespace roofline
