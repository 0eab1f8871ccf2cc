#include "harness/measure/trajectory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "harness/measure/child.h"
#include "harness/measure/option_values.h"
#include "harness/measure/options.h"
#include "harness/record/derive.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

constexpr int most_failures_in_row = 2;  // of processes for a single number

std::string text_of_units(const std::vector<int>& units) {
  return fmt::format("{}", fmt::join(units, ", "));
}

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

// ---- What the processes wrote -------------------------------------------------------------------

using VariantKey = std::tuple<std::string, std::string, std::string>;  // size, model, variant

/// The bytes of a variant on one number of units.
struct Bytes {
  roofline::Counters counters;
  std::string reason;
};

struct Written {
  std::map<std::string, StudyRecord> counted;  ///< on the whole device, by size
  std::map<std::pair<VariantKey, int>, Bytes> bytes;
  bool interrupted = false;
};

class Collector {
 public:
  Collector(const TrajectoryPlan& plan, Trajectory& trajectory)
      : plan_(plan), trajectory_(trajectory) {}

  /// Everything that a process wrote, and how it ended.
  void take(TrajectoryMode mode, const std::vector<int>& units,
            const roofline::Finished& finished) {
    const std::string who = fmt::format("the process that {} on {} {}",
                                        mode == TrajectoryMode::time ? "timed" : "counted",
                                        text_of_units(units), units_name(plan_.kind));
    for (std::size_t at = 0; at < finished.output.size();) {
      const std::size_t end = std::min(finished.output.find('\n', at), finished.output.size());
      try {
        take_line(finished.output.substr(at, end - at), who);
      } catch (const roofline::InputError& error) {
        lose(error.what());
      }
      at = end + 1;
    }
    const std::string end = bad_end(finished, "was ended: nothing came from it for too long");
    const bool told = finished.status != 0 && !finished.output.empty();  // why it failed
    if (!end.empty() && (finished.silenced || signal_of(finished) != 0 || !told))
      lose(fmt::format("{} {}{}", who, end, finished.silenced ? "" : last_words(finished)));
  }

  /// Joins what was timed and what was counted.
  void join() {
    for (TrajectoryPoint& point : trajectory_.points) {
      for (Result& result : point.study.results) add_counts(point, result);
      derive(point.study);
    }
  }

  bool interrupted() const { return written_.interrupted; }

 private:
  void lose(const std::string& words) {
    auto& lost = trajectory_.lost;
    if (std::ranges::find(lost, words) == lost.end()) lost.push_back(words);
  }

  void take_line(const std::string& line, const std::string& who) {
    const roofline::Message message = roofline::message_in(line, fmt::format("what {} wrote", who));
    if (message.what == interrupted_message) {
      written_.interrupted = true;
      return;
    }
    const auto run = message.read<RunMessage>();
    if (std::ranges::find(plan_.sizes, run.size) == plan_.sizes.end())
      refuse(message, fmt::format("size: '{}' was not asked for", run.size));
    if (run.units > plan_.all_units)
      refuse(message, fmt::format("units: {} is more than {}", run.units, plan_.all_units));
    if (message.what == failure_message)
      take_failure(message.read<RunFailure>());
    else if (message.what == study_message && run.units > 0)
      take_study(point_in(message));
    else if (message.what == counted_message)
      written_.counted[run.size] = point_in(message).study;
    else if (message.what == BytesMessage::name)
      take_bytes(message.read<BytesMessage>());
    else
      message.refuse();
  }

  [[noreturn]] static void refuse(const roofline::Message& message, const std::string& what) {
    throw roofline::InputError(fmt::format("{}: {}", message.source, what));
  }

  static TrajectoryPoint point_in(const roofline::Message& message) {
    return point_from_json(roofline::json_in(message.line, message.source, "run it again"),
                           message.source);
  }

  void take_failure(const RunFailure& failure) {
    const int units = failure.run.units;
    lose(fmt::format("{}{}: {}", failure.run.size,
                     units > 0 ? fmt::format(" on {} {}", units, units_name(plan_.kind)) : "",
                     failure.reason));
  }

  /// A driver may give one number of units for two that were asked for.
  void take_study(TrajectoryPoint point) {
    for (TrajectoryPoint& known : trajectory_.points)
      if (known.units == point.units && known.size == point.size) {
        if (!any_passed(known.study)) known = std::move(point);
        return;
      }
    trajectory_.points.push_back(std::move(point));
  }

  void take_bytes(BytesMessage message) {
    const auto& [units, size] = message.run;
    if (!message.reason.empty())
      lose(fmt::format("{} {}: bytes on fewer {} than all: {}", message.variant, size,
                       units_name(plan_.kind), message.reason));
    written_.bytes[{{size, message.model, message.variant}, units}] = {std::move(message.counters),
                                                                       std::move(message.reason)};
  }

  void add_counts(const TrajectoryPoint& point, Result& result) const {
    const auto study = written_.counted.find(point.size);
    if (study == written_.counted.end() || !result.timed()) return;
    for (const Result& counted : study->second.results) {
      if (counted.variant != result.variant || counted.model != result.model) continue;
      if (counted.counted.source != roofline::CountedBy::cupti) {
        if (!counted.counted.reason.empty()) result.counted.reason = counted.counted.reason;
        return;
      }
      if (point.units == plan_.all_units) {
        result.counted = counted.counted;
        return;
      }
      const auto bytes =
          written_.bytes.find({{point.size, result.model, result.variant}, point.units});
      const bool known = bytes != written_.bytes.end();
      result.counted = counted_on_fewer(
          counted.counted, known ? bytes->second.counters : roofline::Counters{},
          known && !bytes->second.reason.empty() ? bytes->second.reason
                                                 : "nobody counted on so few multiprocessors");
    }
  }

  const TrajectoryPlan& plan_;
  Trajectory& trajectory_;
  Written written_;
};

/// The numbers for which some size has no result that passed.
std::vector<int> missing_units(const TrajectoryPlan& plan, const Trajectory& trajectory) {
  std::vector<int> missing;
  for (const int units : plan.units) {
    // The driver rounds up to whole groups, which are not as large as a fourth of a device.
    const auto has = [&](const std::string& size) {
      return std::ranges::any_of(trajectory.points, [&](const TrajectoryPoint& point) {
        return point.size == size && point.units >= units &&
               point.units <= units + plan.all_units / 8 && any_passed(point.study);
      });
    };
    if (!std::ranges::all_of(plan.sizes, has)) missing.push_back(units);
  }
  return missing;
}

void order(const TrajectoryPlan& plan, Trajectory& trajectory) {
  const auto place_of = [&plan](const TrajectoryPoint& point) {
    const auto size = std::ranges::find(plan.sizes, point.size);
    return std::pair(size - plan.sizes.begin(), point.units);
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

Trajectory measure_trajectory(const TrajectoryPlan& plan, const TrajectoryElsewhere& run,
                              const std::function<void(const Trajectory&)>& keep) {
  const double start = steady_seconds();
  Trajectory trajectory;
  trajectory.kernel = plan.kernel->name;
  trajectory.created = roofline::utc_now();
  trajectory.complete = false;
  trajectory.kind = plan.kind;
  trajectory.device = plan.device;
  trajectory.units = plan.all_units;
  trajectory.sizes = plan.sizes;
  Collector collector(plan, trajectory);
  const auto start_process = [&](TrajectoryMode mode, const std::vector<int>& units) {
    collector.take(mode, units, run(mode, units));
    order(plan, trajectory);
    trajectory.seconds = steady_seconds() - start;
    if (keep) keep(trajectory);
  };
  const bool together = plan.kind == "gpu";
  if (together) start_process(TrajectoryMode::time, plan.units);
  // A number that one process lost may come from another that has nothing else to do.
  const std::vector<int> alone = missing_units(plan, trajectory);
  int failures = together && alone.size() == plan.units.size() ? most_failures_in_row : 0;
  for (const int units : alone) {
    if (collector.interrupted() || failures >= most_failures_in_row) break;
    const std::size_t before = trajectory.points.size();
    start_process(TrajectoryMode::time, {units});
    failures = trajectory.points.size() > before ? 0 : failures + 1;
  }
  if (plan.counts && plan.kind == "gpu" && !collector.interrupted() && !trajectory.points.empty()) {
    std::set<int> got;
    for (const TrajectoryPoint& point : trajectory.points) got.insert(point.units);
    start_process(TrajectoryMode::count, {got.begin(), got.end()});
  }
  collector.join();
  trajectory.complete = !collector.interrupted();
  if (keep) keep(trajectory);
  return trajectory;
}

}  // namespace gpp
