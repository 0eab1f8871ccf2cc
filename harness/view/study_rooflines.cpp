#include "harness/view/study_rooflines.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/derive.h"
#include "harness/record/ladder.h"
#include "roofline/base/units.h"
#include "roofline/models/model_table.h"
#include "roofline/points.h"
#include "roofline/verdict.h"
#include "roofline/view/terminal_chart.h"

namespace gpp {
namespace {

using roofline::Step;

struct Group {
  std::string model, precision;
  std::vector<Step> steps;
};

/// A step of the chart. Its limit is that of the precision with most of its work.
Step step_of(const StudyRecord& study, const Result& result, const roofline::RooflinePoint& point) {
  Step step{name_in_charts(study, result.variant), point};
  if (!result.launches.empty()) step.launches = result.launches.size();
  step.title = full_name(result);
  const roofline::RooflinePoint* leading = result.roofline();
  if (leading != nullptr && leading->precision == point.precision)
    step.facts = {{"held back by", roofline::verdict(point, result.counted.metrics).text()}};
  return step;
}

/// The steps of each model and precision on that kind of device, in the record's order.
std::vector<Group> groups_of(const StudyRecord& study, const std::string& kind, PointsOf points) {
  std::vector<Group> groups;
  for (const Result& result : study.results) {
    if (result.kind != kind || !result.timed()) continue;
    for (const roofline::RooflinePoint& point : result.*points) {
      if (!roofline::is_shown(point)) continue;
      auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        return group.model == result.model && group.precision == point.precision;
      });
      if (found == groups.end()) found = groups.insert(found, {result.model, point.precision, {}});
      found->steps.push_back(step_of(study, result, point));
    }
  }
  return groups;
}

std::vector<StudyRoofline> charts_of(const StudyRecord& study, PointsOf points) {
  std::vector<StudyRoofline> charts;
  for (const roofline::Ceilings& ceilings : study.ceilings) {
    const std::vector<Group> groups = groups_of(study, ceilings.kind, points);
    if (groups.empty()) continue;
    const std::string model =
        std::max_element(groups.begin(), groups.end(), [](const Group& one, const Group& other) {
          return one.steps.size() < other.steps.size();
        })->model;
    const std::string subtitle = fmt::format(
        "{}; {}, {:.3e} {}; {}", model_label(model, ceilings.kind), input_name(study.input),
        static_cast<double>(study.input.terms), kernel_of(study).work, study.created.substr(0, 10));
    for (const Group& group : groups)
      if (group.model == model)
        if (auto chart = roofline::make_chart(ceilings, group.steps, group.precision))
          charts.push_back({ceilings.kind, model, group.precision, subtitle, std::move(*chart)});
  }
  return charts;
}

const roofline::RooflinePoint* point_of(const std::vector<roofline::RooflinePoint>& points,
                                        const std::string& precision) {
  for (const roofline::RooflinePoint& point : points)
    if (point.precision == precision && roofline::is_shown(point)) return &point;
  return nullptr;
}

/// Adds the kernels of a variant that has several.
void add_parts(const Result& result, const std::string& precision, PointsOf points,
               std::vector<Step>& steps) {
  const std::vector<const roofline::KernelProfile*> kernels = result.leading_kernels();
  const std::vector<std::string> names = roofline::short_names(kernels);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const roofline::RooflinePoints& placed =
        points == &Result::instructions ? kernels[i]->instructions : kernels[i]->placed;
    const roofline::RooflinePoint* point = point_of(placed.points, precision);
    if (point == nullptr) continue;
    const std::string name = fmt::format("{} {}", result.variant, names[i]);
    steps.push_back({name,
                     *point,
                     static_cast<std::size_t>(kernels[i]->launches),
                     name,
                     {{"held back by", roofline::verdict(*point, kernels[i]->metrics).text()}},
                     true});
  }
}

}  // namespace

std::vector<roofline::ChartSeries> chart_series(const std::vector<StudySeries>& all,
                                                const std::string& precision, PointsOf points) {
  std::vector<roofline::ChartSeries> shown;
  for (const StudySeries& series : all) {
    const roofline::Ceilings* ceilings = ceilings_of_kind(series.study(), series.kind);
    if (ceilings == nullptr) continue;
    std::vector<Step> steps;
    for (const Result* result : series.results) {
      const roofline::RooflinePoint* point = point_of(result->*points, precision);
      if (!result->timed() || point == nullptr) continue;
      steps.push_back(step_of(series.study(), *result, *point));
      add_parts(*result, precision, points, steps);
    }
    if (auto chart = roofline::make_chart(*ceilings, steps, precision))
      shown.push_back(
          {*std::move(chart), series.label, series.place, series.machine, series.tags()});
  }
  return shown;
}

std::vector<std::string> work_of(const std::vector<StudySeries>& all, PointsOf points) {
  std::vector<std::string> names;
  for (const roofline::ModelTable* table : roofline::all_tables())
    for (const auto* models : {&table->models, &table->instruction_models})
      for (const roofline::Model& model : *models) names.push_back(model.name);
  for (const roofline::ModelTable* table : roofline::all_tables())
    if (table->movement) names.push_back(table->movement->name);
  std::vector<std::string> met;
  for (const std::string& name : names) {
    const auto has = [&](const Result* result) {
      return std::any_of(
          (result->*points).begin(), (result->*points).end(),
          [&name](const roofline::RooflinePoint& point) { return point.precision == name; });
    };
    if (std::find(met.begin(), met.end(), name) == met.end() &&
        std::any_of(all.begin(), all.end(), [&has](const StudySeries& series) {
          return std::any_of(series.results.begin(), series.results.end(), has);
        }))
      met.push_back(name);
  }
  return met;
}

std::vector<StudyRoofline> study_rooflines(const StudyRecord& study) {
  return charts_of(study, &Result::rooflines);
}

std::vector<StudyRoofline> study_instruction_rooflines(const StudyRecord& study) {
  return charts_of(study, &Result::instructions);
}

std::string terminal_rooflines(const StudyRecord& study) {
  std::string text;
  for (const StudyRoofline& one : study_rooflines(study))
    text += fmt::format("\n{}", roofline::terminal_roofline(one.chart, one.subtitle));
  return text;
}

}  // namespace gpp
