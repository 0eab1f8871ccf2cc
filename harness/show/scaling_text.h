// How a calculation scaled, for people.
#pragma once

#include <optional>
#include <string>

#include "harness/record/record.h"
#include "roofline/charts/gnuplot.h"

namespace gpp {

/// Ranks and their memory, steps of the ring, and times over the number of ranks with bars; empty
/// where the study is of one process.
std::string scaling_text(const StudyRecord& study);

/// The figures that scaling is told by (Del Ben et al. 2020): strong, the speedup over the number
/// of ranks beside the ideal; weak, the time over that of the first point. Empty where there are
/// fewer than two points.
std::optional<roofline::Drawing> draw_strong_scaling(const StudyRecord& study,
                                                     const std::string& name);
std::optional<roofline::Drawing> draw_weak_scaling(const StudyRecord& study,
                                                   const std::string& name);

}  // namespace gpp
