#include "harness/view/kernel_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/view/study_rooflines.h"
#include "roofline/view/device_charts.h"

namespace gpp {
namespace {

/// Keeps only the first and the fastest numbered step, if steps are numbered.
void keep_ends(std::vector<const Result*>& results) {
  std::erase_if(results, [](const Result* result) { return !result->timed(); });
  std::vector<const Result*> steps = results;
  std::erase_if(steps, [](const Result* result) { return number_of(result->variant) == 0; });
  if (steps.empty()) return;
  const Result* fastest = *std::ranges::min_element(
      steps, {}, [](const Result* result) { return result->timing().median; });
  results = {steps.front()};
  if (fastest != steps.front()) results.push_back(fastest);
}

/// For each study, the series with the most results on a GPU, or else the one on the host, named
/// after its kernel. Series of one device share its roofs.
std::vector<StudySeries> series_by_kernel(const std::vector<NamedStudy>& studies) {
  const std::vector<StudySeries> all = series_of(studies);
  std::vector<StudySeries> chosen;
  for (const NamedStudy& named : studies) {
    const StudySeries* most = nullptr;
    for (const StudySeries& one : all)
      if (one.named == &named &&
          (most == nullptr || std::pair(one.kind == "gpu", one.results.size()) >
                                  std::pair(most->kind == "gpu", most->results.size())))
        most = &one;
    if (most == nullptr) continue;
    StudySeries series = *most;
    series.label = named.study.kernel;
    series.machine = series.results.front()->device;
    series.place = chosen.size();
    keep_ends(series.results);
    chosen.push_back(std::move(series));
  }
  return chosen;
}

/// Keeps only the outermost level, removes single kernels of a variant, and adds the studied
/// kernel's name.
void simplify(roofline::ChartSeries& series) {
  roofline::RooflineChart& chart = series.chart;
  const std::string level = chart.levels.back();
  std::erase_if(chart.steps, [](const roofline::Step& step) { return step.part; });
  for (roofline::Step& step : chart.steps) {
    std::erase_if(step.point.levels,
                  [&level](const roofline::LevelPoint& one) { return one.level != level; });
    if (number_of(step.label) > 0) step.label = fmt::format("{} {}", series.title, step.label);
  }
  std::erase_if(chart.roofs, [&level](const roofline::Roof& roof) {
    return roof.kind == roofline::CeilingKind::bandwidth && roof.name != level;
  });
  chart.levels = {level};
  chart.in_order = false;
}

}  // namespace

bool several_kernels(const std::vector<NamedStudy>& studies) {
  return std::ranges::any_of(studies, [&studies](const NamedStudy& named) {
    return named.study.kernel != studies.front().study.kernel;
  });
}

std::vector<roofline::Chart> kernel_charts(const std::vector<NamedStudy>& studies) {
  const std::vector<StudySeries> all = series_by_kernel(studies);
  std::vector<roofline::Chart> charts;
  for (const PointsOf points : {&Result::rooflines, &Result::instructions})
    for (const std::string& work : work_of(all, points)) {
      std::vector<roofline::ChartSeries> series = chart_series(all, work, points);
      std::ranges::for_each(series, simplify);
      if (series.size() < 2) continue;
      charts.push_back(roofline::make_roofline(series, "kernels-" + work,
                                               "the first and the fastest step of each kernel"));
      charts.back().frame.width += 110;  // names of roofs include the device
      charts.back().frame.right += 110;
    }
  return charts;
}

}  // namespace gpp
