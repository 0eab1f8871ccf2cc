#include "harness/measure/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "harness/measure/apart.h"
#include "harness/program/child.h"
#include "harness/program/interrupt.h"
#include "harness/record/derive.h"
#include "roofline/base/machine.h"
#include "roofline/base/outside.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

class Surveyor {
 public:
  Surveyor(const TrajectoryPlan& plan, const std::function<void(const Trajectory&)>& keep)
      : plan_(plan), keep_(keep) {
    trajectory_.kernel = plan.kernel->name;
    trajectory_.created = roofline::utc_now();
    trajectory_.complete = false;
    trajectory_.kind = plan.kind;
    trajectory_.device = plan.device;
    trajectory_.units = plan.all_units;
    for (const TrajectorySize& size : plan.sizes) trajectory_.sizes.push_back(size.name);
  }

  Trajectory survey() {
    for (const TrajectorySize& size : plan_.sizes)
      if (!interrupted_) guard(size, 0, [&] { survey(size); });
    trajectory_.complete = !interrupted_;
    keep();
    return std::move(trajectory_);
  }

 private:
  bool on_gpu() const { return plan_.kind == "gpu"; }

  /// On all numbers of units; then what a GPU moves is counted.
  void survey(const TrajectorySize& size) {
    constexpr int most_failures_in_row = 2;
    const std::unique_ptr<Subject> subject = plan_.kernel->obtain(size.source);
    int failures = 0;
    for (const int units : plan_.units) {
      if (interrupted_ || failures == most_failures_in_row) break;
      failures = guard(size, units, [&] { time_on(units, size, *subject); }) ? 0 : failures + 1;
      keep();
    }
    if (on_gpu() && !interrupted_ && plan_.options.counting.looks_into_runs())
      count(size, *subject);
  }

  bool guard(const TrajectorySize& size, int units, const std::function<void()>& action) {
    const std::string error = error_of(action);
    if (!error.empty())
      lose(fmt::format("{}{}: {}", size.name,
                       units > 0 ? fmt::format(" on {} {}", units, units_name(plan_.kind)) : "",
                       error));
    return error.empty();
  }

  void lose(const std::string& words) {
    auto& lost = trajectory_.lost;
    if (std::ranges::find(lost, words) == lost.end()) lost.push_back(words);
  }

  void keep() {
    trajectory_.seconds = roofline::steady_seconds() - start_;
    keep_(trajectory_);
  }

  StudyRecord measured(Subject& subject, const StudyOptions& options,
                       const std::optional<roofline::Ceilings>& roofs) {
    MeasureRequest request;
    request.kernel = plan_.kernel;
    request.options = options;
    request.roofs = roofs;
    request.options.counting.ceilings = CeilingsWanted::off;
    Measured found = measure(request, plan_.choices, &subject);
    interrupted_ = interrupted_ || found.interrupted;
    return std::move(found.study);
  }

  void time_on(int units, const TrajectorySize& size, Subject& subject) {
    // The load of others is that of the same cores.
    const OnProcessors cores(on_gpu() ? std::vector<int>() : roofline::first_cores(units));
    const PartMessage& part = part_of_units(units);
    if (!part.reason.empty()) lose("roofs: " + part.reason);
    StudyOptions options = plan_.options;
    options.units = units;
    if (on_gpu() && options.counting.counters != CountersWanted::off)
      options.counting.counters = CountersWanted::source;
    StudyRecord study = measured(subject, options, part.ceilings);
    if (interrupted_) return;
    for (DeviceDescription& gpu : study.machine.gpus) gpu.units = part.units;
    if (!any_passed(study)) throw std::runtime_error(study.results.front().reason);
    // A driver may give one number of units for two that were asked for.
    if (trajectory_.find(part.units, size.name) == nullptr)
      trajectory_.points.push_back({part.units, size.name, std::move(study)});
  }

  /// The part that a worker gets, and its roofs, asked for once.
  const PartMessage& part_of_units(int units) {
    if (const auto found = parts_.find(units); found != parts_.end()) return found->second;
    const Choice& any = plan_.choices.front();
    const CountingOptions& counting = plan_.options.counting;
    const RoofsOrder order{counting.wants_roofs(), counting.ceilings == CeilingsWanted::fresh};
    Apart apart(*any.build->runtime, {longest_alone, InterruptGuard::interrupted, on_gpu()});
    const Build& build = apart.employ(*any.build, program_of(*plan_.kernel, any, units));
    auto part = apart.ask(build, message_text(RoofsOrder::name, order), PartMessage::name)
                    .read<PartMessage>();
    if (part.ceilings) part.ceilings->kind = plan_.kind;
    return parts_.emplace(units, std::move(part)).first->second;
  }

  // ---- Counting on a GPU ----

  void count(const TrajectorySize& size, Subject& subject) {
    std::vector<TrajectoryPoint*> points;
    for (TrajectoryPoint& point : trajectory_.points)
      if (point.size == size.name) points.push_back(&point);
    if (points.empty()) return;
    StudyOptions options = plan_.options;
    options.timing.repeat = 1;
    const StudyRecord counted = measured(subject, options, {});
    for (std::size_t i = 0; i < plan_.choices.size(); ++i) {
      const Result& whole = counted.results[i];
      if (whole.counted.source == roofline::CountedBy::cupti && !interrupted_)
        count_on_fewer(size, subject, i, whole, points);
      else if (whole.timed() && !whole.counted.reason.empty())
        for (TrajectoryPoint* point : points)
          if (Result& result = point->study.results[i]; result.timed())
            result.counted.reason = whole.counted.reason;
    }
    for (TrajectoryPoint* point : points) derive(point->study);
  }

  /// The counts of a variant, the i-th, on each number of units, most first. Where the others
  /// cannot be held, more of them cannot either.
  void count_on_fewer(const TrajectorySize& size, Subject& subject, std::size_t i,
                      const Result& whole, const std::vector<TrajectoryPoint*>& points) {
    constexpr double least_patience = 1, patience = 4;  // seconds, and times what it should take
    const Choice& choice = plan_.choices[i];
    Apart apart(*choice.build->runtime, {longest_alone, InterruptGuard::interrupted, true});
    const Build& build = apart.employ(*choice.build, program_of(*plan_.kernel, choice));
    Stage stage(subject);
    std::string reason;
    for (TrajectoryPoint* point : points | std::views::reverse) {
      Result& result = point->study.results[i];
      const int units = point->units;
      roofline::Counters bytes;
      const CountOrder order{
          .work = fmt::format("{} {} on {}", whole.model, whole.variant, units),
          .units = units,
          .seconds = least_patience + patience * whole.timing().median * plan_.all_units / units,
          .counters = traffic_counters()};
      if (reason.empty() && units < plan_.all_units) {
        reason = error_of([&] {
          bytes =
              apart.count(*choice.variant, build, order, {&stage}, whole.check.tolerance).counters;
        });
        if (!reason.empty())
          lose(fmt::format("{} {}: bytes on fewer {} than all: {}", whole.variant, size.name,
                           units_name(plan_.kind), reason));
      }
      if (result.timed())
        result.counted = units < plan_.all_units ? counted_on_fewer(whole.counted, bytes, reason)
                                                 : whole.counted;
    }
  }

  static constexpr double longest_alone = 600;  // seconds

  const TrajectoryPlan& plan_;
  const std::function<void(const Trajectory&)>& keep_;
  const double start_ = roofline::steady_seconds();
  Trajectory trajectory_;
  std::map<int, PartMessage> parts_;
  bool interrupted_ = false;
};

}  // namespace

Trajectory measure_trajectory(const TrajectoryPlan& plan,
                              const std::function<void(const Trajectory&)>& keep) {
  return Surveyor(plan, keep).survey();
}

}  // namespace gpp
