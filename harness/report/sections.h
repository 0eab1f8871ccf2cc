// The sections of report.html. Each function returns nothing if it has nothing to show.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/report/page.h"
#include "harness/view/columns.h"
#include "roofline/page/html.h"

namespace gpp {

using roofline::Table;
using roofline::page::Html;

// The heading and the record sections (record_sections.cpp).
std::string heading(const ShownResults& shown);
Html masthead(const std::vector<NamedStudy>& studies, const ShownResults& shown);
Html partial_notices(const std::vector<NamedStudy>& studies);
Html ceilings_section(const ShownResults& shown);
Html unavailable_section(const std::vector<NamedStudy>& studies);
Html record_section(const std::vector<NamedStudy>& studies);

/// The timed row with the most work per second; nullptr without one.
const ShownRow* fastest_of(const ShownResults& shown);

/// The models that a page shows first: that of the fastest variant, and those of variants of one's
/// own (page.cpp).
std::set<std::string> first_models(const ShownResults& shown);

// Sections with charts, one for each model on each machine (chart_sections.cpp).
Html ladder_section(const ShownResults& shown);
Html roofline_section(const ShownResults& shown);
Html instructions_section(const ShownResults& shown);
Html time_section(const ShownResults& shown);
Html plane_section(const ShownResults& shown);
Html stalls_section(const ShownResults& shown);

// Sections on many ranks, published ladders, trajectories (scaling_sections.cpp).
Html scaling_section(const std::vector<NamedStudy>& studies);
Html published_ladder_sections(const std::vector<NamedStudy>& studies);
Html trajectory_sections(const std::vector<NamedTrajectory>& trajectories);

// Sections by step (step_sections.cpp) and by source line (source_section.cpp).
Html steps_section(const ShownResults& shown);
Html source_section(const ShownResults& shown);
/// The link to the hottest line of a result; empty if unknown.
std::string hottest_line_link(const ShownResults& shown, const ShownRow& row);

}  // namespace gpp
