#include "harness/measure/counting.h"

#include <fmt/format.h>

#include "harness/record/activity.h"

namespace gpp {
namespace {

/// The roofs of levels whose bytes hardware did not count are not among those compared.
void name_missing_levels(const roofline::Counted& counted, roofline::RooflinePoint& point) {
  if (point.analytic) return;
  for (const auto& [level, metric] : bytes_of_level)
    if (!roofline::metric_value(counted.metrics, metric))
      point.defects.push_back(
          fmt::format("{} is missing: the roof of {} is not among those compared", metric, level));
}

}  // namespace

bool by_hardware(const CountingOptions& options, const std::string& kind) {
  return kind == "gpu" && options.recorder != nullptr &&
         options.counters == CountersWanted::automatic;
}

bool wants_ceilings(const CountingOptions& options) {
  return options.ceilings != CeilingsWanted::off;
}

roofline::Counted count_by_source(Subject& subject, const Variant& variant,
                                  const std::string& reason) {
  roofline::Counted counted;
  counted.reason = reason;
  SourceCount found = subject.count(variant);
  if (found.metrics.empty()) {
    counted.reason += fmt::format("; nor from the source: {}", found.unknown);
    return counted;
  }
  counted.source = "analytic";
  counted.metrics = std::move(found.metrics);
  return counted;
}

void place_on_roofline(StudyRecord& study) {
  for (Result& result : study.results) {
    const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
    if (!result.timed() || result.counted.source.empty() || ceilings == nullptr) continue;
    result.roofline = roofline::roofline_point(activity_of(result), *ceilings);
    if (result.roofline) name_missing_levels(result.counted, *result.roofline);
  }
}

std::optional<CountingCost> counting_cost(const StudyRecord& study) {
  CountingCost cost;
  double runs = 0;
  for (const Result& result : study.results) {
    if (!result.timed() || !(result.counted.seconds > 0)) continue;
    cost.seconds += result.counted.seconds;
    runs += result.timing().median;
  }
  if (!(runs > 0)) return std::nullopt;
  cost.times_the_runs = cost.seconds / runs;
  return cost;
}

}  // namespace gpp
