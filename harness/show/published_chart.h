// A published ladder as a chart: the speedup of each step, published and measured.
#pragma once

#include <optional>
#include <string>

#include "harness/record/record.h"
#include "roofline/charts/gnuplot.h"

namespace gpp {

/// Draws the ladder that was studied. A step without a number has no rung, and says so below its
/// name. Empty where no ladder was studied or nothing was timed.
std::optional<roofline::Drawing> draw_published_ladder(const StudyRecord& study,
                                                       const std::string& name);

}  // namespace gpp
