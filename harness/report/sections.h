// The sections of report.html. Each function returns null if it has nothing to show.
#pragma once

#include <string>
#include <vector>

#include "harness/report/page.h"
#include "harness/view/results.h"
#include "harness/view/steps.h"
#include "roofline/page/model.h"

namespace gpp {

using roofline::ViewTable;
using PageJson = roofline::page::Json;
using Charts = std::vector<roofline::Chart>;

/// The studies of a page, and the switches that sections add.
struct PageParts {
  const std::vector<NamedStudy>& studies;
  const ShownResults& shown;
  PageJson switches = PageJson::object();
};

// The heading and the record sections (record_sections.cpp).
std::string heading(const ShownResults& shown);
PageJson masthead(const PageParts& parts);
PageJson partial_notices(const std::vector<NamedStudy>& studies);
PageJson ceilings_section(const ShownResults& shown);
PageJson unavailable_section(const std::vector<NamedStudy>& studies);
PageJson record_section(const std::vector<NamedStudy>& studies);

// Sections with the charts of harness/view/study_charts.h, by name (chart_sections.cpp).
PageJson ladder_section(PageParts& parts, const Charts& charts);
PageJson roofline_section(PageParts& parts, const Charts& charts);
PageJson instructions_section(const ShownResults& shown, const Charts& charts);
PageJson time_section(const Charts& charts);
PageJson plane_section(PageParts& parts, const Charts& charts);
PageJson stalls_section(const ShownResults& shown, const Charts& charts);

// Sections on many ranks, published ladders, trajectories (scaling_sections.cpp).
PageJson scaling_section(const std::vector<NamedStudy>& studies);
PageJson published_ladder_sections(const std::vector<NamedStudy>& studies, const Charts& charts);
PageJson trajectory_sections(const std::vector<NamedTrajectory>& trajectories);

// Sections by step (step_sections.cpp) and by source line (source_section.cpp).
PageJson steps_section(const PageParts& parts);
PageJson source_section(PageParts& parts);
/// The link to the hottest line of a result; empty if unknown.
std::string hottest_line_link(const ShownResults& shown, const ShownRow& row);

}  // namespace gpp
