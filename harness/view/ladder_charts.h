// Ladder charts: the speed of each step beside the published one.
#pragma once

#include <optional>
#include <string>

#include "harness/view/rows.h"
#include "roofline/view/chart.h"

namespace gpp {

/// A rung per step and series of all studies; its height is work per second, its label the median
/// time. Published steps are shown beside. Empty if nothing was timed.
std::optional<roofline::Chart> make_ladder(const ShownResults& shown);

/// For a study of a published ladder, the speedups over the first step, published and measured. A
/// step that was left out, failed its check or is unpublished has no rung. Empty if the study has
/// no ladder or no measured step.
std::optional<roofline::Chart> make_published_ladder(const NamedStudy& named,
                                                     const std::string& name);

}  // namespace gpp
