#include "harness/record/activity.h"

#include <algorithm>

#include "harness/record/possible.h"

namespace gpp {
namespace {

/// Multiprocessors or cores of a device that the record does not describe: more than any has.
constexpr int most_units = 1024;

int units_of(const Machine& machine, const std::string& kind) {
  int units = kind == "host" ? machine.cores : 0;
  if (kind == "gpu")
    for (const DeviceDescription& gpu : machine.gpus) units = std::max(units, gpu.units);
  return units > 0 ? units : most_units;
}

}  // namespace

roofline::Activity activity_of(const Result& result, const roofline::Model& model) {
  return roofline::activity_of(result.counted.metrics, result.timing().median,
                               result.counted.source, model);
}

void place_on_roofline(const StudyRecord& study, Result& result) {
  const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
  if (!result.timed() || result.counted.source == roofline::CountedBy::nobody ||
      ceilings == nullptr)
    return;
  result.rooflines =
      roofline::roofline_points(result.counted, result.timing().median, *ceilings).points;
}

const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind) {
  const auto found =
      std::find_if(study.ceilings.begin(), study.ceilings.end(),
                   [&kind](const roofline::Ceilings& one) { return one.kind == kind; });
  return found == study.ceilings.end() ? nullptr : &*found;
}

std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result) {
  const Kernel& kernel = kernel_of(study);
  if (!result.timed() || kernel.least_work == nullptr) return std::nullopt;
  const double shortest = *std::min_element(result.samples.begin(), result.samples.end());
  const LeastWork least = kernel.least_work(study.input, result);
  return impossible(least, shortest,
                    speed_limit(result.kind, units_of(study.machine, result.kind),
                                ceilings_of_kind(study, result.kind), least.precision));
}

}  // namespace gpp
