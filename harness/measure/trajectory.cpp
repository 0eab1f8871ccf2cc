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
#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

class Surveyor {
 public:
  Surveyor(const TrajectoryPlan& plan, const std::function<void(const Trajectory&)>& keep)
      : plan_(plan), keep_(keep), any_(plan.choices.front()) {
    const DeviceDescription device = any_.build->runtime->describe();
    trajectory_.kernel = plan.kernel->name;
    trajectory_.created = roofline::utc_now();
    trajectory_.complete = false;
    trajectory_.kind = any_.build->kind;
    trajectory_.device = device.name;
    trajectory_.units = device.units;
    for (const TrajectorySize& size : plan.sizes) trajectory_.sizes.push_back(size.name);
  }

  Trajectory survey() {
    for (const TrajectorySize& size : plan_.sizes)
      if (!interrupted_) attempt(size.name, [&] { survey(size); });
    trajectory_.complete = !interrupted_;
    keep();
    return std::move(trajectory_);
  }

 private:
  bool on_gpu() const { return trajectory_.kind == "gpu"; }

  /// On all numbers of units; then what a GPU moves is counted.
  void survey(const TrajectorySize& size) {
    const std::unique_ptr<Subject> subject = plan_.kernel->obtain(size.source);
    for (const int units : plan_.units) {
      if (interrupted_) return;
      attempt(fmt::format("{} on {} {}", size.name, units, units_name(trajectory_.kind)),
              [&] { time_on(units, size, *subject); });
      keep();
    }
    if (on_gpu() && !interrupted_ && plan_.options.counting.looks_into_runs())
      count(size, *subject);
  }

  void attempt(const std::string& what, const std::function<void()>& action) {
    if (const std::string error = error_of(action); !error.empty()) lose(what + ": " + error);
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
    const CountingOptions& counting = plan_.options.counting;
    const RoofsOrder order{counting.wants_roofs(), counting.ceilings == CeilingsWanted::fresh};
    Apart apart(*any_.build->runtime, {longest_alone, InterruptGuard::interrupted, on_gpu()});
    const Build& build = apart.employ(*any_.build, program_of(*plan_.kernel, any_, units));
    auto part = apart.ask(build, message_text(RoofsOrder::name, order), PartMessage::name)
                    .read<PartMessage>();
    if (part.ceilings) part.ceilings->kind = trajectory_.kind;
    return parts_.emplace(units, std::move(part)).first->second;
  }

  // ---- Counting on a GPU ----

  void count(const TrajectorySize& size, Subject& subject) {
    StudyOptions options = plan_.options;
    options.timing.repeat = 1;
    const StudyRecord counted = measured(subject, options, {});
    for (std::size_t i = 0; i < plan_.choices.size(); ++i)
      if (const Result& whole = counted.results[i]; whole.timed() && !interrupted_)
        count_on_fewer(size, subject, i, whole);
    for (TrajectoryPoint& point : trajectory_.points) derive(point.study);
  }

  /// The counts of a variant, the i-th, on each number of units, most first. Where the others
  /// cannot be held, more of them cannot either.
  void count_on_fewer(const TrajectorySize& size, Subject& subject, std::size_t i,
                      const Result& whole) {
    constexpr double least_patience = 1, patience = 4;  // seconds, and times what it should take
    const Choice& choice = plan_.choices[i];
    Apart apart(*choice.build->runtime, {longest_alone, InterruptGuard::interrupted, true});
    const Build& build = apart.employ(*choice.build, program_of(*plan_.kernel, choice));
    Stage stage(subject);
    std::string reason;
    for (TrajectoryPoint& point : trajectory_.points | std::views::reverse) {
      Result& result = point.study.results[i];
      if (point.size != size.name || !result.timed()) continue;
      const int all = trajectory_.units;
      if (whole.counted.source != roofline::CountedBy::cupti) {
        result.counted.reason = whole.counted.reason;
        continue;
      }
      if (point.units == all) {
        result.counted = whole.counted;
        continue;
      }
      roofline::Counters bytes;
      const CountOrder order{
          .work = fmt::format("{} {} on {}", whole.model, whole.variant, point.units),
          .units = point.units,
          .seconds = least_patience + patience * whole.timing().median * all / point.units,
          .counters = shared_traffic_counters()};
      if (reason.empty()) {
        reason = error_of([&] {
          bytes =
              apart.count(*choice.variant, build, order, {&stage}, whole.check.tolerance).counters;
        });
        if (!reason.empty())
          lose(fmt::format("{} {}: bytes on fewer units than all: {}", whole.variant, size.name,
                           reason));
      }
      result.counted = counted_on_fewer(whole.counted, bytes, reason);
    }
  }

  static constexpr double longest_alone = 600;  // seconds

  const TrajectoryPlan& plan_;
  const std::function<void(const Trajectory&)>& keep_;
  const Choice& any_;
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
