#include "harness/view/study_charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/view/ladder_charts.h"
#include "harness/view/study_rooflines.h"

namespace gpp {
namespace {

using roofline::Chart;

/// A name that no other chart has.
std::string unused(const std::string& name, const std::vector<Chart>& charts) {
  std::string candidate = name;
  for (int i = 2; std::ranges::find(charts, candidate, &Chart::name) != charts.end(); ++i)
    candidate = fmt::format("{}-{}", name, i);
  return candidate;
}

void add(std::vector<Chart>& charts, std::optional<Chart> chart) {
  if (chart) charts.push_back(*std::move(chart));
}

void add_rooflines(const NamedStudy& named, bool several, std::vector<Chart>& charts) {
  const std::vector<NamedStudy> alone = {named};
  const ShownResults shown(alone);
  const std::vector<StudyRoofline> rooflines = study_rooflines(shown, &Result::rooflines);
  const bool kinds = std::ranges::any_of(rooflines, [&rooflines](const StudyRoofline& one) {
    return one.chart.kind != rooflines.front().chart.kind;
  });
  /// With what distinguishes it from others of its kind: "roofline-results-host-fp32".
  const auto name = [&](const char* what, const StudyRoofline& one) {
    return unused(what + (several ? "-" + roofline::file_stem(named.name) : "") +
                      (kinds ? "-" + one.chart.kind : "") +
                      (one.work == "fp64" ? "" : "-" + one.work),
                  charts);
  };
  for (const StudyRoofline& one : rooflines) {
    const std::string subtitle = one.subtitle();
    charts.push_back(roofline::make_roofline(one.chart, name("roofline", one), subtitle));
    charts.push_back(roofline::make_times(one.chart, name("time", one), subtitle));
    add(charts,
        roofline::make_plane(one.chart, plane_level(one.chart), name("plane", one), subtitle));
  }
  for (const StudyRoofline& one : study_rooflines(shown, &Result::instructions))
    charts.push_back(roofline::make_roofline(one.chart, name("roofline", one), one.subtitle()));
}

}  // namespace

std::vector<Chart> study_charts(const std::vector<NamedStudy>& studies) {
  std::vector<Chart> charts;
  for (const NamedStudy& named : studies) add_rooflines(named, studies.size() > 1, charts);
  add(charts, make_ladder(ShownResults(studies)));
  for (const NamedStudy& named : studies)
    add(charts, make_published_ladder(
                    named, unused(fmt::format("published-{}", named.study.ladder), charts)));
  return charts;
}

}  // namespace gpp
