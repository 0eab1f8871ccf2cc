#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "harness/measure/child.h"
#include "harness/measure/trajectory.h"
#include "roofline/recorder.h"
#include "runtimes/part_of_device.h"

namespace gpp {
namespace {

/// The time that work may take beside blocks that wait, over the time that it should.
constexpr double patience = 4;
constexpr double least_patience = 1;  // seconds

/// Calls `work`; what it throws becomes a line.
bool guarded(std::FILE* out, int units, const std::string& size,
             const std::function<void()>& work) {
  const std::string error = error_of(work);
  if (!error.empty()) roofline::tell(out, failure_message, RunFailure{{units, size}, error});
  return error.empty();
}

/// Few units ask for so little that a cache is no faster for them than the level behind it: the
/// sweep of working sets has one plateau for both. Its rate is then the roof of both.
void complete_levels(roofline::Ceilings& ceilings) {
  const std::vector<roofline::Level>& levels = roofline::table_of(ceilings.kind).levels;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const bool missing = std::ranges::any_of(
        ceilings.missing, [&](const auto& one) { return one.name == level->roof; });
    if (level == levels.rbegin() || level->beside || !missing) continue;
    const roofline::Ceiling* behind = ceilings.find(std::prev(level)->roof);
    if (behind == nullptr) continue;
    roofline::Ceiling same = *behind;
    same.name = level->roof;
    same.label = level->label;
    same.theoretical.reset();
    same.sweep.clear();
    same.definition = fmt::format(
        "The sweep of working sets shows no plateau of {} apart from that of {}: so few units read "
        "both at one rate, which is given here.",
        level->label, behind->label);
    ceilings.list.insert(ceilings.list.begin() + (behind - ceilings.list.data()), same);
    std::erase_if(ceilings.missing, [&](const auto& one) { return one.name == same.name; });
  }
}

const PartOfDevice& part_of(const Runtime& runtime) {
  if (const auto* part = dynamic_cast<const PartOfDevice*>(&runtime)) return *part;
  throw std::runtime_error(
      "Work of this model cannot be confined to a part of its device: OpenMP on GPUs keeps to the "
      "device's own context. Take the models cuda or thrust.");
}

/// All runtimes of the choices, confined. They are of one device: the number is the same.
int confine(const std::vector<Choice>& choices, int units) {
  int got = units;
  for (const Choice& choice : choices) got = part_of(*choice.build->runtime).confine(units);
  return got;
}

class Worker {
 public:
  Worker(const TrajectoryTask& task, std::FILE* out) : task_(task), out_(out) {}

  bool run() {
    bool well = true;
    for (const TrajectorySize& size : task_.sizes) {
      if (interrupted_) return false;
      well = guarded(out_, 0, size.name,
                     [&] {
                       const std::unique_ptr<Subject> subject = task_.kernel->obtain(size.source);
                       well = (task_.mode == TrajectoryMode::time ? time(size, *subject)
                                                                  : count(size, *subject)) &&
                              well;
                     }) &&
             well;
    }
    return well;
  }

 private:
  MeasureRequest request(const TrajectorySize& size) const {
    MeasureRequest request;
    request.kernel = task_.kernel;
    request.source = size.source;
    request.options = task_.options;
    request.apart = false;
    return request;
  }

  void interrupt() {
    interrupted_ = true;
    roofline::tell(out_, interrupted_message, roofline::Nothing{});
  }

  bool time(const TrajectorySize& size, Subject& subject) {
    bool well = true;
    for (const int units : task_.units)
      if (!interrupted_)
        well = guarded(out_, units, size.name, [&] { time_on(units, size, subject); }) && well;
    return well;
  }

  void time_on(int units, const TrajectorySize& size, Subject& subject) {
    const int got = confine(task_.choices, units);
    MeasureRequest request = this->request(size);
    // CUPTI must not be asked here: after it there is no green context.
    if (task_.choices.front().build->kind == "gpu" &&
        request.options.counting.counters != CountersWanted::off)
      request.options.counting.counters = CountersWanted::source;
    Measured measured = measure(request, task_.choices, &subject);
    if (measured.interrupted) return interrupt();
    for (roofline::Ceilings& ceilings : measured.study.ceilings) complete_levels(ceilings);
    roofline::tell(out_, study_message, TrajectoryPoint{got, size.name, measured.study});
  }

  bool count(const TrajectorySize& size, Subject& subject) {
    MeasureRequest request = this->request(size);
    request.options.timing.repeat = 1;
    request.options.counting.ceilings = CeilingsWanted::off;
    const Measured measured = measure(request, task_.choices, &subject);
    if (measured.interrupted) {
      interrupt();
      return false;
    }
    roofline::tell(out_, counted_message, TrajectoryPoint{0, size.name, measured.study});
    bool well = true;
    for (std::size_t i = 0; i < task_.choices.size(); ++i) {
      const Result& result = measured.study.results[i];
      if (result.timed() && result.counted.source == roofline::CountedBy::cupti)
        well = count_on_fewer(size, subject, task_.choices[i], result) && well;
    }
    return well;
  }

  /// The bytes of one variant on each number of units, most first. Where the others cannot be held,
  /// more of them cannot either.
  bool count_on_fewer(const TrajectorySize& size, Subject& subject, const Choice& choice,
                      const Result& result) {
    const std::unique_ptr<Placement> placement = subject.place(*choice.build->runtime);
    placement->vary(0);
    const int all = choice.build->runtime->describe().units;
    std::string reason;
    for (auto next = task_.units.rbegin(); next != task_.units.rend(); ++next) {
      const int units = *next;
      if (units >= all) continue;
      roofline::Recording counted;
      if (reason.empty()) {
        const double seconds = least_patience + patience * result.timing().median * all / units;
        reason =
            error_of([&] { counted = count_beside(choice, result, *placement, units, seconds); });
        if (reason.empty() && !counted.defects.empty()) reason = counted.defects.front();
      }
      roofline::tell(out_, BytesMessage::name,
                     BytesMessage{{units, size.name},
                                  result.variant,
                                  result.model,
                                  reason.empty() ? counted.counters : roofline::Counters{},
                                  reason});
    }
    return reason.empty();
  }

  roofline::Recording count_beside(const Choice& choice, const Result& result, Placement& placement,
                                   int units, double seconds) const {
    const Runtime& runtime = *choice.build->runtime;
    roofline::Work work;
    work.name = fmt::format("{} {} on {}", result.model, result.variant, units);
    work.run = [&] {
      part_of(runtime).beside_waiting_blocks(units, seconds, [&] {
        runtime.time([&] { placement.run(*choice.variant, choice.build->call); });
      });
    };
    work.check = [&] {
      if (const Check check = placement.check(result.check.tolerance); !check.passed)
        throw std::runtime_error(fmt::format("in a counted run: {}", check.reason));
    };
    return roofline::cupti_recorder().record(traffic_counters(), work);
  }

  const TrajectoryTask& task_;
  std::FILE* out_;
  bool interrupted_ = false;
};

}  // namespace

bool run_trajectory_task(const TrajectoryTask& task, std::FILE* out) {
  return Worker(task, out).run();
}

}  // namespace gpp
