#include "harness/record/activity.h"

#include <algorithm>

namespace gpp {

std::optional<double> metric_value(const roofline::Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(std::string(name));
  if (found == metrics.end()) return std::nullopt;
  return found->second;
}

roofline::Activity activity_of(const Result& result) {
  const roofline::Metrics& metrics = result.counted.metrics;
  roofline::Activity activity;
  activity.seconds = result.timing().median;
  activity.flop = metric_value(metrics, "fp64_flop").value_or(0);
  activity.fma_fraction = metric_value(metrics, "fp64_fma_fraction");
  activity.analytic = result.counted.source != "cupti";
  for (const auto& [level, metric] : bytes_of_level)
    if (const auto bytes = metric_value(metrics, metric))
      activity.traffic.push_back({std::string(level), *bytes});
  return activity;
}

const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind) {
  const auto found =
      std::find_if(study.ceilings.begin(), study.ceilings.end(),
                   [&kind](const roofline::Ceilings& one) { return one.kind == kind; });
  return found == study.ceilings.end() ? nullptr : &*found;
}

}  // namespace gpp
