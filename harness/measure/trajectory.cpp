#include "harness/measure/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "harness/measure/apart.h"
#include "harness/measure/child.h"
#include "harness/measure/option_values.h"
#include "harness/measure/options.h"
#include "harness/measure/part.h"
#include "harness/measure/stage.h"
#include "harness/program/interrupt.h"
#include "harness/record/derive.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

// ---- What counters mean on fewer units ----------------------------------------------------------

/// Whether each unit has a level of its own, so that its bytes do not depend on their number.
bool is_of_one_unit(const std::string& level) { return level != "l2" && level != "dram"; }

struct MetricNames {
  std::set<std::string> work, near, far;  ///< metrics: of work; of traffic near and far
};

const MetricNames& metric_names() {
  static const MetricNames all = [] {
    MetricNames names;
    names.work.insert("fp64_pipe_instructions");
    const roofline::ModelTable& table = roofline::nvidia_table();
    const auto add_level = [&names](const roofline::Level& level) {
      (is_of_one_unit(level.name) ? names.near : names.far).insert(level.traffic);
    };
    for (const roofline::Level& level : table.levels) add_level(level);
    for (const auto* models : {&table.models, &table.instruction_models})
      for (const roofline::Model& model : *models) {
        for (const std::string& metric : {model.work, model.fma_fraction, model.active})
          if (!metric.empty()) names.work.insert(metric);
        for (const roofline::Level& level : model.levels) add_level(level);
      }
    return names;
  }();
  return all;
}

std::set<std::string> counters_of(const std::set<std::string>& metrics) {
  std::set<std::string> names;
  for (const std::string& metric : metrics)
    if (const roofline::Metric* found = roofline::find_metric(metric))
      for (const std::string& name : roofline::counters_of(*found)) names.insert(name);
  return names;
}

// ---- Studies -----------------------------------------------------------------------------------

/// The cores of a host that this thread has while it lives, and what it starts: OpenMP reads the
/// number when it starts, and places of the whole machine would not be there.
class OnCores {
 public:
  explicit OnCores(int count) : narrow_(first_cores(count)) {
    set("OMP_NUM_THREADS", fmt::format("{}", count));
    for (const char* name : {"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) set(name, {});
  }
  ~OnCores() {
    for (const auto& [name, value] : before_) put(name, value);
  }
  OnCores(const OnCores&) = delete;
  OnCores& operator=(const OnCores&) = delete;

 private:
  static std::vector<int> first_cores(int count) {
    std::vector<int> all = cores_first(roofline::allowed_cpus());
    all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
    return all;
  }
  static void put(const char* name, const std::optional<std::string>& value) {
    value ? setenv(name, value->c_str(), 1) : unsetenv(name);
  }
  void set(const char* name, const std::optional<std::string>& value) {
    const char* const before = std::getenv(name);
    before_.emplace_back(name,
                         before == nullptr ? std::nullopt : std::optional<std::string>(before));
    put(name, value);
  }

  OnProcessors narrow_;
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

class Surveyor {
 public:
  Surveyor(const TrajectoryPlan& plan, Trajectory& trajectory)
      : plan_(plan), trajectory_(trajectory) {}

  /// On all numbers of units; then what a GPU moves is counted.
  void survey(const TrajectorySize& size, const std::function<void()>& keep) {
    guard(size, 0, [&] {
      const std::unique_ptr<Subject> subject = plan_.kernel->obtain(size.source);
      int failures = 0;
      for (const int units : plan_.units) {
        if (interrupted_ || failures == most_failures_in_row) break;
        failures = guard(size, units, [&] { time_on(units, size, *subject); }) ? 0 : failures + 1;
        keep();
      }
      if (on_gpu() && !interrupted_ && plan_.options.counting.looks_into_runs() &&
          !points_of(size).empty())
        count(size, *subject);
    });
  }

  bool interrupted() const { return interrupted_; }

 private:
  static constexpr int most_failures_in_row = 2;

  bool on_gpu() const { return plan_.kind == "gpu"; }

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

  MeasureRequest request_of(const TrajectorySize& size) const {
    MeasureRequest request;
    request.kernel = plan_.kernel;
    request.source = size.source;
    request.options = plan_.options;
    request.options.counting.ceilings = CeilingsWanted::off;
    return request;
  }

  StudyRecord measured(const MeasureRequest& request, Subject& subject) {
    Measured found = measure(request, plan_.choices, &subject);
    interrupted_ = interrupted_ || found.interrupted;
    return std::move(found.study);
  }

  void time_on(int units, const TrajectorySize& size, Subject& subject) {
    std::optional<OnCores> cores;
    if (!on_gpu()) cores.emplace(units);
    const PartMessage& part = part_of_units(units);
    if (!part.reason.empty()) lose("roofs: " + part.reason);
    MeasureRequest request = request_of(size);
    request.options.units = units;
    request.roofs = part.ceilings;
    if (on_gpu() && request.options.counting.counters != CountersWanted::off)
      request.options.counting.counters = CountersWanted::source;
    StudyRecord study = measured(request, subject);
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
    const roofline::Message answer = ask_any(units);
    auto part = answer.read<PartMessage>();
    if (part.ceilings) part.ceilings->kind = plan_.kind;
    return parts_.emplace(units, std::move(part)).first->second;
  }

  roofline::Message ask_any(int units) const {
    const Choice& any = plan_.choices.front();
    const CountingOptions& counting = plan_.options.counting;
    Apart apart(*any.build->runtime, {longest_alone, InterruptGuard::interrupted, on_gpu()});
    const Build& build =
        apart.employ(*any.build, WorkerProgram{plan_.kernel->name, any.variant->id,
                                               any.variant->model, any.build->kind, units});
    apart.start_all();
    const RoofsMessage order{counting.counters == CountersWanted::off ? CeilingsWanted::off
                                                                      : counting.ceilings};
    return apart.ask(build, message_text(RoofsMessage::name, order), PartMessage::name);
  }

  // ---- Counting on a GPU ----

  void count(const TrajectorySize& size, Subject& subject) {
    MeasureRequest request = request_of(size);
    request.options.timing.repeat = 1;
    const StudyRecord counted = measured(request, subject);
    for (std::size_t i = 0; i < plan_.choices.size(); ++i) {
      const Result& whole = counted.results[i];
      const bool by_hardware = whole.counted.source == roofline::CountedBy::cupti;
      if (!whole.timed()) continue;
      for (TrajectoryPoint* point : points_of(size))
        for (Result& result : point->study.results)
          if (result.variant == whole.variant && result.model == whole.model && result.timed()) {
            if (by_hardware && point->units == plan_.all_units) result.counted = whole.counted;
            if (!by_hardware && !whole.counted.reason.empty())
              result.counted.reason = whole.counted.reason;
          }
      if (by_hardware && !interrupted_) count_on_fewer(size, subject, plan_.choices[i], whole);
    }
  }

  /// The bytes of one variant on each number of units, most first. Where the others cannot be held,
  /// more of them cannot either.
  void count_on_fewer(const TrajectorySize& size, Subject& subject, const Choice& choice,
                      const Result& whole) {
    Apart apart(*choice.build->runtime, {longest_alone, InterruptGuard::interrupted, true});
    const Build& build =
        apart.employ(*choice.build, WorkerProgram{plan_.kernel->name, choice.variant->id,
                                                  choice.variant->model, choice.build->kind});
    Stage stage(subject);
    const CountedRun run{[&] { stage.run_only(*choice.variant, build, as_it_is); },
                         [&](const Call& given) {
                           Placement& placement = stage.on(apart);
                           placement.run(*choice.variant, given);
                           return placement.check(whole.check.tolerance).reason;
                         }};
    std::string reason;
    const std::vector<TrajectoryPoint*> points = points_of(size);
    for (auto next = points.rbegin(); next != points.rend(); ++next) {
      const int units = (*next)->units;
      if (units >= plan_.all_units) continue;
      roofline::Counters bytes;
      const BesideMessage message{
          fmt::format("{} {} on {}", whole.model, whole.variant, units), units,
          least_patience + patience * whole.timing().median * plan_.all_units / units,
          traffic_counters()};
      if (reason.empty()) {
        reason = error_of([&] { bytes = apart.count_beside(build, message, run); });
        if (!reason.empty())
          lose(fmt::format("{} {}: bytes on fewer {} than all: {}", whole.variant, size.name,
                           units_name(plan_.kind), reason));
      }
      for (Result& result : (*next)->study.results)
        if (result.variant == whole.variant && result.model == whole.model && result.timed())
          result.counted = counted_on_fewer(whole.counted, bytes, reason);
    }
  }

  /// Its points, fewest units first.
  std::vector<TrajectoryPoint*> points_of(const TrajectorySize& size) {
    std::vector<TrajectoryPoint*> found;
    for (TrajectoryPoint& point : trajectory_.points)
      if (point.size == size.name) found.push_back(&point);
    std::ranges::sort(found, {}, &TrajectoryPoint::units);
    return found;
  }

  /// The time that work may take beside blocks that wait, over the time that it should.
  static constexpr double patience = 4, least_patience = 1, longest_alone = 600;  // and seconds

  const TrajectoryPlan& plan_;
  Trajectory& trajectory_;
  std::map<int, PartMessage> parts_;
  bool interrupted_ = false;
};

void order(Trajectory& trajectory) {
  const auto place_of = [&sizes = trajectory.sizes](const TrajectoryPoint& point) {
    return std::pair(std::ranges::find(sizes, point.size) - sizes.begin(), point.units);
  };
  std::ranges::stable_sort(trajectory.points,
                           [&](const TrajectoryPoint& a, const TrajectoryPoint& b) {
                             return place_of(a) < place_of(b);
                           });
}

}  // namespace

std::vector<std::string> traffic_counters() {
  std::set<std::string> metrics = metric_names().near;
  metrics.insert(metric_names().far.begin(), metric_names().far.end());
  std::vector<std::string> names;
  for (const std::string& name : counters_of(metrics))
    if (!roofline::counted_by_software(name) && !roofline::counted_by_sampling(name))
      names.push_back(name);
  return names;
}

roofline::Counted counted_on_fewer(const roofline::Counted& whole, const roofline::Counters& bytes,
                                   const std::string& reason) {
  roofline::Counted counted = whole;
  counted.kernels.clear();  // their bytes are those of the whole device
  counted.seconds = 0;
  std::set<std::string> kept = counters_of(metric_names().work);
  kept.merge(counters_of(metric_names().near));
  std::erase_if(counted.counters, [&kept](const auto& one) { return !kept.contains(one.first); });
  const std::set<std::string> far = counters_of(metric_names().far);
  for (const std::string& name : traffic_counters())
    if (const auto found = bytes.find(name); found != bytes.end())
      counted.counters[name] = found->second;
  counted.metrics = roofline::evaluate(counted.counters);
  for (const std::string& name : far)
    if (!counted.counters.contains(name) && whole.counters.contains(name))
      counted.missing.push_back({name, reason});
  return counted;
}

std::vector<TrajectorySize> trajectory_sizes(const Kernel& kernel,
                                             const std::vector<std::string>& words,
                                             std::uint64_t seed) {
  std::vector<TrajectorySize> sizes;
  for (const std::string& word : words) {
    if (word.empty()) throw roofline::InputError("--sizes: one of the names is empty");
    TrajectorySize size{word, {}};
    size.source.seed = seed;
    const bool preset = std::ranges::any_of(
        kernel.presets, [&word](const PresetName& one) { return one.name == word; });
    if (preset)
      size.source.preset = word;
    else
      size.source.file = word;
    if (std::ranges::any_of(sizes, [&word](const TrajectorySize& one) { return one.name == word; }))
      throw roofline::InputError(
          fmt::format("--sizes: '{}' is named twice", roofline::visible(word)));
    if (!preset) try {
        SourceRequest look = size.source;
        look.most_judged = 1;  // without its reference, which takes its time
        kernel.obtain(look);
      } catch (const roofline::InputError& error) {
        std::vector<std::string> names;
        for (const PresetName& one : kernel.presets) names.push_back(one.name);
        throw roofline::InputError(fmt::format(
            "--sizes: {} Nor is it an input: {}",
            roofline::unknown_name("preset", roofline::visible(word), names), error.what()));
      }
    sizes.push_back(std::move(size));
  }
  if (sizes.empty()) sizes.push_back({"default", {{}, "", seed, 0}});
  return sizes;
}

std::vector<int> trajectory_units(const std::vector<std::string>& words, const std::string& kind,
                                  int all) {
  std::set<int> units;
  for (const std::string& word : words) {
    int number = 0;
    if (!parse_whole(word, number) || number < 1 || number > all)
      throw roofline::InputError(fmt::format(
          "--units: '{}' is not a whole number from 1 to {}, the {} that there are here",
          roofline::visible(word), all, units_name(kind)));
    units.insert(number);
  }
  if (!words.empty()) return {units.begin(), units.end()};
  if (kind == "gpu") {
    units.insert(std::min(8, all));
    for (int number = 16; number < all - 8; number += 16) units.insert(number);
  } else {
    for (int number = 1; number < all; number *= 2) units.insert(number);
  }
  units.insert(all);
  return {units.begin(), units.end()};
}

std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root) {
  std::vector<int> first, others;
  for (const int processor : processors) {
    std::string list = roofline::kernel_file(
        root /
        fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
    list.erase(list.find_last_not_of('\n') + 1);
    const std::vector<int> siblings = roofline::parse_processors(list);
    const bool beside = std::ranges::any_of(
        first, [&siblings](int one) { return std::ranges::find(siblings, one) != siblings.end(); });
    (beside ? others : first).push_back(processor);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

Trajectory measure_trajectory(const TrajectoryPlan& plan,
                              const std::function<void(const Trajectory&)>& keep) {
  const double start = steady_seconds();
  Trajectory trajectory;
  trajectory.kernel = plan.kernel->name;
  trajectory.created = roofline::utc_now();
  trajectory.complete = false;
  trajectory.kind = plan.kind;
  trajectory.device = plan.device;
  trajectory.units = plan.all_units;
  for (const TrajectorySize& size : plan.sizes) trajectory.sizes.push_back(size.name);
  Surveyor surveyor(plan, trajectory);
  const auto keep_so_far = [&] {
    order(trajectory);
    trajectory.seconds = steady_seconds() - start;
    if (keep) keep(trajectory);
  };
  for (const TrajectorySize& size : plan.sizes)
    if (!surveyor.interrupted()) surveyor.survey(size, keep_so_far);
  for (TrajectoryPoint& point : trajectory.points) derive(point.study);
  trajectory.complete = !surveyor.interrupted();
  keep_so_far();
  return trajectory;
}

}  // namespace gpp
