// Ladders: how fast each step is, beside what was published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart.h"

namespace gpp {

/// The quantity on the ladder's axis.
enum class LadderView { rate, time, speedup, energy };

/// A rung per step and series of all studies, as high as its work per second, its median time,
/// its speedup over the first step or its energy for a billion pieces of work. Published steps are
/// beside them; no times where another input was used, which say nothing together: a note tells of
/// it. Empty where nothing was timed, or no series has its first step to gain over.
std::optional<roofline::Chart> make_ladder(const std::vector<NamedStudy>& studies, LadderView view,
                                           const std::string& name);

/// A study of a published ladder: the speedup of each step over the first, published and measured.
/// A step that was left out, that failed its check or of which nothing is published has no rung.
/// Empty where the study is of no ladder, or nothing was measured.
std::optional<roofline::Chart> make_published_ladder(const NamedStudy& named,
                                                     const std::string& name);

}  // namespace gpp
