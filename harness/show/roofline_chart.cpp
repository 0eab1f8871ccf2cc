#include "harness/show/roofline_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gpp {
namespace {

using roofline::Step;

/// The steps of each model on that kind of device, in the order of the record.
std::vector<std::pair<std::string, std::vector<Step>>> steps_by_model(const StudyRecord& study,
                                                                      const std::string& kind) {
  std::vector<std::pair<std::string, std::vector<Step>>> models;
  for (const Result& result : study.results) {
    if (result.kind != kind || !result.timed() || !result.roofline) continue;
    auto found = std::find_if(models.begin(), models.end(),
                              [&result](const auto& one) { return one.first == result.model; });
    if (found == models.end()) found = models.insert(found, {result.model, {}});
    found->second.push_back({result.variant, *result.roofline});
  }
  return models;
}

}  // namespace

std::string input_name(const InputRecord& input) {
  return std::filesystem::path(input.path).filename().string();
}

std::vector<StudyRoofline> study_rooflines(const StudyRecord& study) {
  std::vector<StudyRoofline> charts;
  for (const roofline::Ceilings& ceilings : study.ceilings) {
    const auto models = steps_by_model(study, ceilings.kind);
    if (models.empty()) continue;
    const auto& [model, steps] = *std::max_element(
        models.begin(), models.end(),
        [](const auto& one, const auto& other) { return one.second.size() < other.second.size(); });
    const std::string subtitle = fmt::format(
        "{}; {}, {:.3e} {}; {}", model_label(model, ceilings.kind), input_name(study.input),
        static_cast<double>(study.input.terms), kernel_of(study).work, study.created.substr(0, 10));
    if (auto chart = roofline::make_chart(ceilings, steps))
      charts.push_back({ceilings.kind, model, subtitle, std::move(*chart)});
  }
  return charts;
}

std::string terminal_rooflines(const StudyRecord& study, const roofline::TextStyle& style) {
  std::string text;
  for (const StudyRoofline& one : study_rooflines(study))
    text += fmt::format("\n{}", roofline::terminal_roofline(one.chart, one.subtitle, style));
  return text;
}

}  // namespace gpp
