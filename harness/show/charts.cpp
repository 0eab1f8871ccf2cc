#include "harness/show/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/show/ladder_chart.h"
#include "harness/show/published_chart.h"
#include "harness/show/roofline_chart.h"
#include "harness/show/scaling_text.h"
#include "roofline/charts/plane_drawing.h"
#include "roofline/charts/roofline_drawing.h"
#include "roofline/charts/time_drawing.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using roofline::Drawing;

/// A name no other drawing has.
std::string unused(const std::string& name, const std::vector<Drawing>& drawings) {
  std::string candidate = name;
  for (int i = 2;
       std::any_of(drawings.begin(), drawings.end(),
                   [&candidate](const Drawing& other) { return other.name == candidate; });
       ++i)
    candidate = fmt::format("{}-{}", name, i);
  return candidate;
}

/// How many kinds of devices have charts.
std::size_t kinds_of(const std::vector<StudyRoofline>& rooflines) {
  std::set<std::string> kinds;
  for (const StudyRoofline& one : rooflines) kinds.insert(one.kind);
  return kinds.size();
}

/// What tells a chart from others of its kind: "-results-host-fp32".
std::string suffix_of(const StudyRoofline& one, const NamedStudy& named, bool several,
                      std::size_t kinds) {
  return (several ? fmt::format("-{}", roofline::file_stem(named.name)) : std::string()) +
         (kinds > 1 ? "-" + one.kind : "") + (one.precision == "fp64" ? "" : "-" + one.precision);
}

void add_rooflines(const NamedStudy& named, bool several, std::vector<Drawing>& drawings) {
  const std::vector<StudyRoofline> rooflines = study_rooflines(named.study);
  const std::size_t kinds = kinds_of(rooflines);
  for (const StudyRoofline& one : rooflines) {
    const std::string suffix = suffix_of(one, named, several, kinds);
    drawings.push_back(
        draw_roofline(one.chart, unused("roofline" + suffix, drawings), one.subtitle));
    drawings.push_back(draw_times(one.chart, unused("time" + suffix, drawings), one.subtitle));
    if (auto plane = draw_plane(one.chart, unused("plane" + suffix, drawings), one.subtitle))
      drawings.push_back(*std::move(plane));
  }
  for (const StudyRoofline& one : study_instruction_rooflines(named.study))
    drawings.push_back(draw_roofline(
        one.chart, unused("roofline" + suffix_of(one, named, several, kinds), drawings),
        one.subtitle));
}

}  // namespace

std::vector<Drawing> study_drawings(const std::vector<NamedStudy>& studies) {
  std::vector<Drawing> drawings;
  for (const NamedStudy& named : studies) add_rooflines(named, studies.size() > 1, drawings);
  if (auto ladder = draw_ladder(studies, "ladder")) drawings.push_back(std::move(*ladder));
  for (const NamedStudy& named : studies)
    if (auto ladder = draw_published_ladder(
            named.study, unused(fmt::format("published-{}", named.study.ladder), drawings)))
      drawings.push_back(std::move(*ladder));
  for (const NamedStudy& named : studies) {
    if (auto strong = draw_strong_scaling(named.study, unused("strong", drawings)))
      drawings.push_back(std::move(*strong));
    if (auto weak = draw_weak_scaling(named.study, unused("weak", drawings)))
      drawings.push_back(std::move(*weak));
  }
  return drawings;
}

roofline::WrittenCharts write_charts(const fs::path& folder,
                                     const std::vector<NamedStudy>& studies) {
  try {
    return roofline::write_drawings(folder, study_drawings(studies));
  } catch (const std::exception& error) {
    return {{}, fmt::format("Charts: not written: {}", error.what())};
  }
}

}  // namespace gpp
