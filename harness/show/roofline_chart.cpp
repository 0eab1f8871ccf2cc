#include "harness/show/roofline_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/ladder.h"
#include "roofline/points.h"

namespace gpp {
namespace {

using roofline::Step;

struct Group {
  std::string model, precision;
  std::vector<Step> steps;
};

using Points = std::vector<roofline::RooflinePoint>;

/// The steps of each model and precision on that kind of device, in the order of the record.
std::vector<Group> groups_of(const StudyRecord& study, const std::string& kind,
                             Points Result::*points) {
  std::vector<Group> groups;
  for (const Result& result : study.results) {
    if (result.kind != kind || !result.timed()) continue;
    for (const roofline::RooflinePoint& point : result.*points) {
      if (!roofline::is_shown(point)) continue;
      auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        return group.model == result.model && group.precision == point.precision;
      });
      if (found == groups.end()) found = groups.insert(found, {result.model, point.precision, {}});
      const std::size_t launches = result.launches.size();
      found->steps.push_back({name_in_charts(study, result.variant), point,
                              launches > 0 ? std::optional(launches) : std::nullopt});
    }
  }
  return groups;
}

std::vector<StudyRoofline> charts_of(const StudyRecord& study, Points Result::*points) {
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

}  // namespace

std::string input_name(const InputRecord& input) {
  return std::filesystem::path(input.path).filename().string();
}

std::vector<StudyRoofline> study_rooflines(const StudyRecord& study) {
  return charts_of(study, &Result::rooflines);
}

std::vector<StudyRoofline> study_instruction_rooflines(const StudyRecord& study) {
  return charts_of(study, &Result::instructions);
}

std::string terminal_rooflines(const std::vector<StudyRoofline>& charts,
                               const roofline::TextStyle& style) {
  std::string text;
  for (const StudyRoofline& one : charts)
    text += fmt::format("\n{}", roofline::terminal_roofline(one.chart, one.subtitle, style));
  return text;
}

std::string terminal_rooflines(const StudyRecord& study, const roofline::TextStyle& style) {
  return terminal_rooflines(study_rooflines(study), style);
}

}  // namespace gpp
