#include "harness/view/study_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/record/ladder.h"
#include "roofline/advice.h"
#include "roofline/points.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::RooflinePoint;
using roofline::Step;

/// A variant's step. Its limit is that of the precision with most of its work.
Step step_of(const ShownRow& row, const RooflinePoint& point) {
  const Result& result = *row.result;
  Step step{name_in_charts(row.study(), result.variant), point};
  if (!result.launches.empty()) step.launches = result.launches.size();
  step.title = full_name(result);
  if (row.point != nullptr && row.point->precision == point.precision)
    step.facts = {{"held back by", roofline::verdict(point, row.metrics()).text()}};
  return step;
}

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
    add(charts, roofline::make_plane(one.chart, name("plane", one), subtitle));
  }
  for (const StudyRoofline& one : study_rooflines(shown, &Result::instructions))
    charts.push_back(roofline::make_roofline(one.chart, name("roofline", one), one.subtitle()));
}

}  // namespace

std::string input_and_date(const StudyRecord& study) {
  return fmt::format("{}, {:.3e} {}; {}", input_name(study.input),
                     static_cast<double>(study.input.terms), kernel_of(study).work,
                     study.created.substr(0, 10));
}

std::string StudyRoofline::subtitle() const {
  return fmt::format("{}; {}", series.rows.front().model, input_and_date(series.study()));
}

std::vector<StudyRoofline> all_rooflines(const ShownResults& shown, PointsOf points) {
  std::vector<std::string> all_work;
  const auto add = [&all_work](const RooflinePoint& point) {
    if (std::ranges::find(all_work, point.precision) == all_work.end())
      all_work.push_back(point.precision);
  };
  for (const ShownRow& row : shown.rows()) {
    if (row.point != nullptr) add(*row.point);  // what it does most comes first
    std::ranges::for_each(row.result->*points, add);
  }
  std::vector<StudyRoofline> rooflines;
  for (const std::string& work : all_work)
    for (const StudySeries& series : shown.series()) {
      if (series.machine().ceilings == nullptr) continue;
      std::vector<Step> steps;
      for (const ShownRow& row : series.rows)
        for (const RooflinePoint& point : row.result->*points)
          if (row.result->timed() && point.precision == work && roofline::is_shown(point))
            steps.push_back(step_of(row, point));
      if (auto chart = roofline::make_chart(*series.machine().ceilings, steps, work))
        rooflines.push_back({work, series, *std::move(chart)});
    }
  return rooflines;
}

std::vector<StudyRoofline> study_rooflines(const ShownResults& shown, PointsOf points) {
  std::vector<StudyRoofline> all = all_rooflines(shown, points);
  std::map<const ShownMachine*, std::pair<std::size_t, std::size_t>> most;  // steps, series
  for (const StudyRoofline& one : all) {
    auto& [steps, place] = most[&one.series.machine()];
    if (one.chart.steps.size() > steps)
      std::tie(steps, place) = std::pair(one.chart.steps.size(), one.series.place);
  }
  std::erase_if(all, [&most](const StudyRoofline& one) {
    return one.series.place != most[&one.series.machine()].second;
  });
  std::ranges::stable_sort(all, {}, [](const StudyRoofline& one) { return one.series.place; });
  return all;
}

std::string terminal_rooflines(const StudyRecord& study) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  std::string text;
  for (const StudyRoofline& one : study_rooflines(shown, &Result::rooflines))
    text += fmt::format("\n{}", roofline::terminal_roofline(one.chart, one.subtitle()));
  return text;
}

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
