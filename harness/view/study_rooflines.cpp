#include "harness/view/study_rooflines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/record/ladder.h"
#include "roofline/advice.h"
#include "roofline/models/model_table.h"
#include "roofline/points.h"
#include "roofline/view/terminal_chart.h"

namespace gpp {
namespace {

using roofline::RooflineChart;
using roofline::RooflinePoint;
using roofline::Step;

const RooflinePoint* point_of(const std::vector<RooflinePoint>& points, const std::string& work) {
  const auto found = std::ranges::find_if(points, [&work](const RooflinePoint& point) {
    return point.precision == work && roofline::is_shown(point);
  });
  return found == points.end() ? nullptr : &*found;
}

std::string limit_of(const RooflinePoint& point, const roofline::Metrics& metrics) {
  return roofline::verdict(point, metrics).text();
}

/// Adds a step. Its limit is that of the precision with most of its work.
void add_step(const ShownRow& row, const RooflinePoint& point, std::vector<Step>& steps) {
  const Result& result = *row.result;
  Step step{name_in_charts(row.study(), result.variant), point};
  if (!result.launches.empty()) step.launches = result.launches.size();
  step.title = full_name(result);
  if (row.point != nullptr && row.point->precision == point.precision)
    step.facts = {{"held back by", limit_of(point, row.metrics())}};
  steps.push_back(std::move(step));
}

/// Adds the kernels of a variant that has several.
void add_parts(const Result& result, const std::string& work, PointsOf points,
               std::vector<Step>& steps) {
  const std::vector<const roofline::KernelProfile*> kernels = result.leading_kernels();
  const std::vector<std::string> names = roofline::short_names(kernels);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const roofline::RooflinePoints& placed =
        points == &Result::instructions ? kernels[i]->instructions : kernels[i]->placed;
    const RooflinePoint* point = point_of(placed.points, work);
    if (point == nullptr) continue;
    const std::string name = fmt::format("{} {}", result.variant, names[i]);
    steps.push_back({name,
                     *point,
                     static_cast<std::size_t>(kernels[i]->launches),
                     name,
                     {{"held back by", limit_of(*point, kernels[i]->metrics)}},
                     true});
  }
}

/// The names of all precisions and instruction models, in the order of the tables.
std::vector<std::string> all_work() {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const roofline::ModelTable* table : roofline::all_tables())
    for (const auto* models : {&table->models, &table->instruction_models})
      for (const roofline::Model& model : *models) add(model.name);
  for (const roofline::ModelTable* table : roofline::all_tables())
    if (table->movement) add(table->movement->name);
  return names;
}

std::vector<StudyRoofline> own_rooflines(const ShownResults& shown, PointsOf points, bool parts) {
  std::vector<StudyRoofline> rooflines;
  const std::vector<StudySeries> all = shown.series();
  for (const std::string& work : all_work())
    for (const StudySeries& series : all) {
      std::vector<Step> steps;
      for (const ShownRow& row : series.rows) {
        const RooflinePoint* point = point_of(row.result->*points, work);
        if (!row.result->timed() || point == nullptr) continue;
        add_step(row, *point, steps);
        if (parts) add_parts(*row.result, work, points, steps);
      }
      if (series.machine().ceilings == nullptr) continue;
      if (auto chart = roofline::make_chart(*series.machine().ceilings, steps, work))
        rooflines.push_back({work, series, *std::move(chart)});
    }
  return rooflines;
}

/// Widens a range to hold another one.
void hold(roofline::Range& range, const roofline::Range& other) {
  range = {std::min(range.low, other.low), std::max(range.high, other.high)};
}

}  // namespace

std::string StudyRoofline::subtitle() const {
  const StudyRecord& study = series.study();
  return fmt::format("{}; {}, {:.3e} {}; {}", series.rows.front().model, input_name(study.input),
                     static_cast<double>(study.input.terms), kernel_of(study).work,
                     study.created.substr(0, 10));
}

std::vector<StudyRoofline> all_rooflines(const ShownResults& shown, PointsOf points, bool parts) {
  std::vector<StudyRoofline> all = own_rooflines(shown, points, parts);
  std::map<std::string, std::pair<roofline::Range, roofline::Range>> axes;
  for (const auto& [work, series, chart] : all) {
    auto& [across, up] = axes.try_emplace(work, chart.intensity, chart.flop_per_s).first->second;
    hold(across, chart.intensity);
    hold(up, chart.flop_per_s);
  }
  for (auto& [work, series, chart] : all)
    std::tie(chart.intensity, chart.flop_per_s) = axes.at(work);
  return all;
}

std::vector<StudyRoofline> study_rooflines(const ShownResults& shown, PointsOf points) {
  std::vector<StudyRoofline> all = own_rooflines(shown, points, false);
  std::map<const ShownMachine*, const StudyRoofline*> most;
  for (const StudyRoofline& one : all) {
    const StudyRoofline*& best = most[&one.series.machine()];
    if (best == nullptr || one.chart.steps.size() > best->chart.steps.size()) best = &one;
  }
  std::vector<StudyRoofline> chosen;
  for (const ShownMachine& machine : shown.machines())
    for (const StudyRoofline& one : all)
      if (&one.series.machine() == &machine && one.series.place == most[&machine]->series.place)
        chosen.push_back(one);
  return chosen;
}

std::string terminal_rooflines(const StudyRecord& study) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  std::string text;
  for (const StudyRoofline& one : study_rooflines(shown, &Result::rooflines))
    text += fmt::format("\n{}", roofline::terminal_roofline(one.chart, one.subtitle()));
  return text;
}

}  // namespace gpp
