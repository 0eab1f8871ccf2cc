// The figures that scaling is told by (Del Ben et al. 2020).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart.h"

namespace gpp {

/// Strong: the speedup over the number of ranks beside the ideal. Weak: the time over that of the
/// first point. Both with the ends of their 95% intervals, for all studies that have two points or
/// more; empty where none has.
std::optional<roofline::Chart> make_strong_scaling(const std::vector<NamedStudy>& studies);
std::optional<roofline::Chart> make_weak_scaling(const std::vector<NamedStudy>& studies);

}  // namespace gpp
