#include "harness/view/study_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/view/ladder_charts.h"
#include "harness/view/study_rooflines.h"

namespace gpp {
namespace {

using roofline::Chart;

/// A name that no other chart has.
std::string unused(const std::string& name, const std::vector<Chart>& charts) {
  std::string candidate = name;
  for (int i = 2; std::any_of(charts.begin(), charts.end(),
                              [&candidate](const Chart& other) { return other.name == candidate; });
       ++i)
    candidate = fmt::format("{}-{}", name, i);
  return candidate;
}

void add(std::vector<Chart>& charts, std::optional<Chart> chart) {
  if (chart) charts.push_back(*std::move(chart));
}

/// The end of a chart's name, which distinguishes it from others of its kind: "-results-host-fp32".
std::string suffix_of(const StudyRoofline& one, const NamedStudy& named, bool several,
                      std::size_t kinds) {
  return (several ? fmt::format("-{}", roofline::file_stem(named.name)) : std::string()) +
         (kinds > 1 ? "-" + one.kind : "") + (one.precision == "fp64" ? "" : "-" + one.precision);
}

void add_rooflines(const NamedStudy& named, bool several, std::vector<Chart>& charts) {
  const std::vector<StudyRoofline> rooflines = study_rooflines(named.study);
  std::set<std::string> kinds;
  for (const StudyRoofline& one : rooflines) kinds.insert(one.kind);
  const auto name = [&](const char* what, const StudyRoofline& one) {
    return unused(what + suffix_of(one, named, several, kinds.size()), charts);
  };
  for (const StudyRoofline& one : rooflines) {
    charts.push_back(roofline::make_roofline({{one.chart}}, name("roofline", one), one.subtitle));
    charts.push_back(roofline::make_times(one.chart, name("time", one), one.subtitle));
    add(charts,
        roofline::make_plane(one.chart, plane_level(one.chart), name("plane", one), one.subtitle));
  }
  for (const StudyRoofline& one : study_instruction_rooflines(named.study))
    charts.push_back(roofline::make_roofline({{one.chart}}, name("roofline", one), one.subtitle));
}

/// Adds the charts that are the same on the page and in a folder.
void add_shared(const std::vector<NamedStudy>& studies, std::vector<Chart>& charts) {
  for (const NamedStudy& named : studies)
    add(charts, make_published_ladder(
                    named, unused(fmt::format("published-{}", named.study.ladder), charts)));
}

}  // namespace

std::vector<Chart> study_charts(const std::vector<NamedStudy>& studies) {
  std::vector<Chart> charts;
  for (const NamedStudy& named : studies) add_rooflines(named, studies.size() > 1, charts);
  add(charts, make_ladder(studies));
  add_shared(studies, charts);
  return charts;
}

}  // namespace gpp
