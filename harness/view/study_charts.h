// The charts of studies, for results folders and for the page.
#pragma once

#include <optional>
#include <vector>

#include "harness/view/rows.h"
#include "roofline/view/chart_files.h"

namespace gpp {

/// Makes the charts roofline, time, plane and ladder of a study. A study on two kinds of device has
/// two of the first three: roofline-gpu, roofline-host, ... With several studies, names contain the
/// studies' names, and there is one common ladder. published-NAME is for studies of the published
/// ladder NAME.
std::vector<roofline::Chart> study_charts(const std::vector<NamedStudy>& studies);

/// The stalls of each variant's warps as divided bars; empty if they were not counted.
std::optional<roofline::Chart> make_stalls(const StudySeries& series);

}  // namespace gpp
