// The charts of studies: written into a results folder, and shown by the page.
#pragma once

#include <optional>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart_files.h"

namespace gpp {

/// roofline, time, plane and ladder of a study. A study that ran on two kinds of device has two of
/// the first three: roofline-gpu, roofline-host, ... Those of several studies carry the studies'
/// names, and share one ladder. published-NAME is of each study of the published ladder NAME;
/// strong and weak are of calculations that many ranks shared.
std::vector<roofline::Chart> study_charts(const std::vector<NamedStudy>& studies);

/// The charts of the page, which shows all series together: roofline-WORK, time-WORK and
/// plane-WORK-LEVEL for each precision, roofline-WORK for each instruction model that some series
/// has a point of; ladder-speedup, ladder-time, ladder-rate; stalls; published-NAME, strong and
/// weak as above.
std::vector<roofline::Chart> page_charts(const std::vector<NamedStudy>& studies);

/// Stalls of each variant's warps as bars of parts; empty where nobody counted them.
std::optional<roofline::Chart> make_stalls(const std::vector<NamedStudy>& studies);

}  // namespace gpp
