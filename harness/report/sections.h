// The sections of report.html. Each function returns nothing if it has nothing to show.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/report/page.h"
#include "harness/view/columns.h"
#include "roofline/page/page.h"

namespace gpp {

using roofline::Table;
using roofline::page::Html;

/// The models that a page shows first: those of the findings (page.cpp).
std::set<std::string> first_models(const ShownResults& shown);

/// The ladder, rooflines, times, the time plane, stalls: charts for each model on each machine
/// (chart_sections.cpp).
Html chart_sections(const ShownResults& shown);

// Sections on many ranks, published ladders, trajectories (scaling_sections.cpp).
Html scaling_section(const std::vector<NamedStudy>& studies);
Html published_ladder_sections(const std::vector<NamedStudy>& studies);
Html trajectory_sections(const std::vector<NamedTrajectory>& trajectories);

// Sections by step and by source line (step_sections.cpp).
Html steps_section(const ShownResults& shown);
Html source_section(const ShownResults& shown);

}  // namespace gpp
