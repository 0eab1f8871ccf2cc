#include "harness/record/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/record/activity.h"
#include "roofline/json.h"

namespace gpp {
namespace {

using roofline::JsonPlace;
namespace bounds = roofline::bounds;

/// How far numbers computed alike on two machines may differ: the order of operations, no more.
constexpr double same = 1e-6;

bool agree(double one, double other) {
  return one == other || std::abs(one - other) <= same * std::max(std::abs(one), std::abs(other));
}

[[noreturn]] void contradict(const JsonPlace& place, double recorded, double due,
                             const std::string& from) {
  place.refuse(
      fmt::format("{:.10g} contradicts {:.10g}, which follows from {}", recorded, due, from));
}

/// A number that stands where there is something to derive it from, else null. Records of other
/// programs may leave it out.
void require_derived(const JsonPlace& object, const char* key, std::optional<double> due,
                     const std::string& from) {
  if (!object.has(key)) return;
  if (due)
    require_same(object[key], *due, from);
  else if (!object[key].is_null())
    object[key].refuse(fmt::format("{:.10g} contradicts {}, which there is nothing of",
                                   object[key].real(bounds::finite), from));
}

/// The recorded error is the worst of all runs.
void compare_check(const JsonPlace& place, const Result& result) {
  const double recorded = result.check.max_relative_error, tolerance = result.check.tolerance;
  if (result.status == Status::passed && !(recorded <= tolerance))
    place["max_relative_error"].refuse(fmt::format(
        "{:.4g} contradicts status 'passed' with a tolerance of {:.4g}", recorded, tolerance));
}

void compare_times(const JsonPlace& place, const StudyRecord& study, const Result& result) {
  const auto timed = [&result](double value) {
    return result.timed() ? std::optional(value) : std::nullopt;
  };
  const Timing timing = result.timing();
  const JsonPlace time = place["time_s"];
  require_derived(time, "median", timed(timing.median), "the samples");
  require_derived(time, "min", timed(timing.min), "the samples");
  require_derived(time, "max", timed(timing.max), "the samples");
  require_derived(time, "low", timed(timing.low), "the samples");
  require_derived(time, "high", timed(timing.high), "the samples");
  require_derived(place, "terms_per_s", timed(terms_per_second(study, result)),
                  "input.terms and the median of the samples");
  require_derived(place, "speedup", speedup(study, result),
                  fmt::format("the medians of {} and of this one", baseline_of(study)));
  const auto read = result.clocks.samples.size();
  if (static_cast<std::size_t>(result.clocks.throttled) > read)
    place["clock_mhz"]["throttled_runs"].refuse(
        fmt::format("{} contradicts {} clocks read", result.clocks.throttled, read));
}

void compare_with_the_device(const JsonPlace& place, const StudyRecord& study,
                             const Result& result) {
  if (const auto why = impossible_time(study, result)) place["time_s"]["samples"].refuse(*why);
}

void compare_level(const JsonPlace& place, const roofline::LevelPoint& due) {
  const char* level = due.level.c_str();
  const auto require = [&](const char* key, double value, const char* from) {
    require_same(place[key][level], value, from);
  };
  require("bytes", due.bytes, "the metrics");
  require("intensity", due.intensity, "flops and bytes");
  require("attainable", due.attainable, "intensity and ceilings");
  require("percent", due.percent, "flops_per_s and the ceilings");
  require("level_seconds", due.seconds, "bytes and the ceilings");
}

/// Two needs of the same length may go by either name.
void compare_bound(const JsonPlace& place, const roofline::RooflinePoint& recorded,
                   const roofline::RooflinePoint& due) {
  double seconds = recorded.bound_by == "compute" ? due.compute_seconds : 0;
  for (const roofline::LevelPoint& level : due.levels)
    if (level.level == recorded.bound_by) seconds = level.seconds;
  if (recorded.bound_by != due.bound_by && !agree(100 * seconds / due.seconds, due.percent_of_roof))
    place["bound_by"].refuse(
        fmt::format("'{}' contradicts '{}', which takes longest", recorded.bound_by, due.bound_by));
}

/// The same point anew, from the levels that the record knew.
std::optional<roofline::RooflinePoint> due_point(const Result& result,
                                                 const roofline::RooflinePoint& recorded,
                                                 const roofline::Ceilings& ceilings) {
  const roofline::Model* model = roofline::model_of(ceilings, recorded.precision);
  if (model == nullptr) return std::nullopt;
  roofline::Activity activity = activity_of(result, *model);
  std::erase_if(activity.traffic, [&recorded](const roofline::Traffic& traffic) {
    return std::none_of(
        recorded.levels.begin(), recorded.levels.end(),
        [&traffic](const roofline::LevelPoint& level) { return level.level == traffic.level; });
  });
  return roofline::roofline_point(activity, ceilings);
}

void compare_point(const JsonPlace& place, const StudyRecord& study, const Result& result,
                   const roofline::RooflinePoint& recorded) {
  const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
  if (!result.timed()) place.refuse("of a result that has no time");
  if (ceilings == nullptr)
    place.refuse(fmt::format("contradicts the ceilings: there are none of a '{}'", result.kind));
  const auto due = due_point(result, recorded, *ceilings);
  if (!due || due->levels.size() != recorded.levels.size())
    place.refuse("contradicts the metrics and the ceilings, from which it does not follow");

  require_same(place["flops"], due->flop, fmt::format("the metric {}_flop", recorded.precision));
  require_same(place["seconds"], due->seconds, "the samples");
  require_same(place["flops_per_s"], due->flop_per_s, "flops and seconds");
  require_same(place["compute_seconds"], due->compute_seconds, "flops and the ceilings");
  require_same(place["percent_of_peak"], due->percent_of_peak, "flops_per_s and the ceilings");
  require_same(place["percent_of_roof"], due->percent_of_roof, "the times that it needs");
  require_derived(place, "fma_mix_ceiling", due->fma_mix_ceiling,
                  fmt::format("the metric {}_fma_fraction", recorded.precision));
  for (const roofline::LevelPoint& level : due->levels) compare_level(place, level);
  compare_bound(place, recorded, *due);
  if (recorded.analytic != due->analytic)
    place["analytic"].refuse(fmt::format("{} contradicts counting.source '{}'", recorded.analytic,
                                         roofline::source_name(result.counted.source)));
}

void compare_rooflines(const JsonPlace& place, const StudyRecord& study, const Result& result) {
  if (const auto leading = roofline::read_roofline(place["roofline"]))
    compare_point(place["roofline"], study, result, *leading);
  if (!place.has("rooflines")) return;
  for (const roofline::RooflinePoint& point : result.rooflines)
    compare_point(place["rooflines"][point.precision.c_str()], study, result, point);
}

/// Kernels share the median.
void compare_kernels(const JsonPlace& place, const Result& result) {
  double sum = 0;
  for (const roofline::KernelProfile& kernel : result.kernels) {
    if (!kernel.seconds) return;
    sum += *kernel.seconds;
  }
  if (result.kernels.empty()) return;
  if (!result.timed()) place["kernels"].refuse("of a result that has no time");
  if (!agree(sum, result.timing().median))
    place["kernels"].refuse(
        fmt::format("their seconds, {:g} together, contradict the median of the samples", sum));
}

}  // namespace

void require_same(const JsonPlace& place, double due, const std::string& from) {
  const double recorded = place.real(bounds::finite);
  if (!agree(recorded, due)) contradict(place, recorded, due, from);
}

void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  if (kernel.refuse_contradictions != nullptr) kernel.refuse_contradictions(root, study);
  const std::vector<JsonPlace> places = root["results"].elements();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Result& result = study.results[i];
    compare_check(places[i]["check"], result);
    compare_times(places[i], study, result);
    compare_with_the_device(places[i], study, result);
    compare_rooflines(places[i], study, result);
    compare_kernels(places[i], result);
  }
}

}  // namespace gpp
