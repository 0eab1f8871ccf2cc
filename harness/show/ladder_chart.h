// The ladder: the speed of every step, beside the published V100.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/show/side_by_side.h"
#include "roofline/charts/gnuplot.h"

namespace gpp {

/// Draws a rung per step and model of every study, as high as its terms per second, labelled with
/// its median time. Empty where nothing was timed.
std::optional<roofline::Drawing> draw_ladder(const std::vector<NamedStudy>& studies,
                                             const std::string& name);

}  // namespace gpp
