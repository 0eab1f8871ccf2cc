#include "harness/record/derive.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "roofline/points.h"

namespace gpp {
namespace {

/// The share of the run that its divisions take at this processor's rate: the scalar rate or that
/// of its widest vectors, as most of the code uses.
std::optional<double> division_time(const StudyRecord& study, const Result& result,
                                    const roofline::Ceilings& ceilings) {
  const auto divisions = roofline::metric_value(result.counted.metrics, "divisions");
  const auto scalar = roofline::metric_value(result.counted.metrics, "scalar_fraction");
  if (!divisions || !scalar) return std::nullopt;
  const roofline::Ceiling* rate = ceilings.find(*scalar >= 0.5 ? "fp64_div_scalar" : "fp64_div");
  if (rate == nullptr || !(rate->measured > 0)) return std::nullopt;
  // The measured rate is that of all cores; a variant with one thread uses one.
  const int cores = std::max(1, study.machine.cores);
  const double share_of_cores = static_cast<double>(std::clamp(result.threads, 1, cores)) / cores;
  return std::min(1.0, *divisions / (rate->measured * share_of_cores) / result.timing().median);
}

/// The kernels with their counts and their parts of the median time.
std::vector<roofline::KernelProfile> kernels_of(const Result& result) {
  const auto duration_of = [](const roofline::KernelCounts& one) {
    const auto found = one.counters.find("gpu__time_duration.sum");
    return found == one.counters.end() ? 0 : found->second;
  };
  double sum = 0;
  for (const roofline::KernelCounts& one : result.counted.kernels) sum += duration_of(one);
  std::vector<roofline::KernelProfile> kernels;
  for (const roofline::KernelCounts& one : result.counted.kernels) {
    roofline::KernelProfile& kernel = kernels.emplace_back();
    kernel.name = one.name;
    kernel.launches = one.launches;
    kernel.counters = one.counters;
    if (const double duration = duration_of(one); duration > 0)
      kernel.seconds = duration / sum * result.timing().median;
  }
  return kernels;
}

/// What a roof allows a second, measured or in theory, with a margin; 0 if it is unknown.
double limit_by(const roofline::Ceiling& roof, double margin) {
  const double highest = std::max(roof.measured, roof.theoretical.value_or(0));
  return std::isfinite(highest) ? margin * highest : 0;
}

/// Explains why the work cannot have been done in that time under the roof; empty if it can.
std::optional<std::string> too_fast(double work, const std::string& why, double seconds,
                                    const roofline::Ceiling& roof, double margin) {
  const double limit = limit_by(roof, margin);
  if (!(limit > 0) || work <= limit * seconds) return std::nullopt;
  return fmt::format(
      "{:.3g} s are impossible: {}, and so {:.3g} s at least at {:.3g} x the roof {}", seconds, why,
      work / limit, margin, roof.label);
}

/// Explains why the counted work cannot have been done in the median time.
std::optional<std::string> faster_than_counted(const Result& result,
                                               const roofline::Ceilings& ceilings) {
  if (!roofline::is_hardware(result.counted.source)) return std::nullopt;
  for (const roofline::Model& model : roofline::table_of(result.kind).models) {
    const double work = roofline::metric_value(result.counted.metrics, model.work).value_or(0);
    const roofline::Ceiling* roof = ceilings.find(model.peak);
    if (roof == nullptr) continue;
    const std::string why = fmt::format("hardware counted {:.3g} {}", work, model.unit);
    if (auto told = too_fast(work, why, result.timing().median, *roof, roof_margin)) return told;
  }
  return std::nullopt;
}

}  // namespace

void derive(StudyRecord& study) {
  for (Result& result : study.results) derive(study, result);
}

void derive(const StudyRecord& study, Result& result) {
  result.rooflines.clear();
  result.instructions.clear();
  result.kernels.clear();
  if (!result.timed()) return;
  roofline::Counted& counted = result.counted;
  const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
  const double seconds = result.timing().median;
  if (ceilings != nullptr && counted.source != roofline::CountedBy::nobody) {
    if (const auto time = division_time(study, result, *ceilings))
      counted.metrics["division_time"] = *time;
    result.rooflines = roofline::roofline_points(counted, seconds, *ceilings).points;
    if (result.rooflines.empty())
      result.rooflines = roofline::movement_points(counted, seconds, *ceilings).points;
    result.instructions =
        roofline::instruction_points(counted.metrics, seconds, counted.source, *ceilings).points;
  }
  result.kernels = kernels_of(result);
  roofline::derive(result.kernels, result.kind, ceilings);
}

std::string why_no_place(const StudyRecord& study, const Result& result) {
  if (!result.timed() || result.roofline() != nullptr) return {};
  const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
  if (ceilings == nullptr) return "no roofs were measured";
  const roofline::RooflinePoints placed =
      roofline::roofline_points(result.counted, result.timing().median, *ceilings);
  return placed.missing.empty() ? "" : placed.missing.front().reason;
}

const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind) {
  for (const roofline::Ceilings& one : study.ceilings)
    if (one.kind == kind) return &one;
  return nullptr;
}

std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result) {
  const Kernel& kernel = kernel_of(study);
  const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
  if (!result.timed() || ceilings == nullptr) return std::nullopt;
  if (auto why = faster_than_counted(result, *ceilings)) return why;
  if (kernel.least_work == nullptr) return std::nullopt;
  const LeastWork least = kernel.least_work(study.input, result);
  return impossible(least, *std::ranges::min_element(result.samples), *ceilings);
}

std::optional<std::string> impossible(const LeastWork& least, double seconds,
                                      const roofline::Ceilings& ceilings) {
  const bool may_double =
      ceilings.kind == "gpu" && ceilings.find(least.precision + "_tensor") == nullptr;
  const double margin = may_double ? 2 * roof_margin : roof_margin;
  const roofline::Ceiling* highest = nullptr;
  for (const roofline::Ceiling& one : ceilings.list)
    if (one.kind == roofline::CeilingKind::compute && one.name.starts_with(least.precision) &&
        (highest == nullptr || limit_by(one, margin) > limit_by(*highest, margin)))
      highest = &one;
  return highest == nullptr ? std::nullopt
                            : too_fast(least.operations, least.why, seconds, *highest, margin);
}

}  // namespace gpp
