// Ladders: how fast each step is, beside what was published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart.h"

namespace gpp {

/// A rung per step and series of all studies, as high as its work per second, with its median time
/// beside it. Published steps are beside them. Empty where nothing was timed.
std::optional<roofline::Chart> make_ladder(const std::vector<NamedStudy>& studies);

/// A study of a published ladder: the speedup of each step over the first, published and measured.
/// A step that was left out, that failed its check or of which nothing is published has no rung.
/// Empty where the study is of no ladder, or nothing was measured.
std::optional<roofline::Chart> make_published_ladder(const NamedStudy& named,
                                                     const std::string& name);

}  // namespace gpp
