#include "roofline/host_counters.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/counting.h"
#include "roofline/likwid/session.h"

namespace roofline::likwid {
namespace {

/// Two runs of the same work, on a machine where others run beside it.
constexpr double equal_work = 0.02;

const char* const operations = "fp64_flop";
constexpr const char* traffic[] = {"l2_bytes", "l3_bytes", "dram_bytes"};

std::vector<std::string> wanted_counters() {
  std::vector<std::string> names;
  for (const Metric& metric : host_table().metrics)
    for (std::string& name : counters_of(metric)) names.push_back(std::move(name));
  return names;
}

/// Gives this thread its CPUs back: LIKWID may visit each to see what it is.
class SameCpus {
 public:
  SameCpus() : known_(sched_getaffinity(0, sizeof(set_), &set_) == 0) {}
  ~SameCpus() {
    if (known_) sched_setaffinity(0, sizeof(set_), &set_);
  }
  SameCpus(const SameCpus&) = delete;
  SameCpus& operator=(const SameCpus&) = delete;

 private:
  cpu_set_t set_{};
  bool known_;
};

/// The counters of one group over one run; messages of LIKWID are thrown away, those of the work
/// are not.
Recording record(Session& session, const std::string& group, const CheckedRun& run) {
  {
    const Silence silence;
    session.start(group);
  }
  const auto stop = [&session] {
    const Silence silence;
    return session.stop();
  };
  try {
    run.run();
  } catch (...) {
    stop();
    throw;
  }
  Recording recording = stop();
  check_results(run);
  return recording;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Keeps what formulas ask for; every group counts cycles and instructions besides. Values that
/// were refused are missing, and defects.
void keep(Recording recording, const std::vector<std::string>& wanted, Counted& counted) {
  counted.passes += recording.passes;
  for (auto& [name, value] : recording.counters)
    if (holds(wanted, name)) counted.counters.emplace(name, value);
  for (Missing& refused : recording.missing) {
    if (!holds(wanted, refused.name)) continue;
    counted.defects.push_back(refused.reason);
    counted.missing.push_back(std::move(refused));
  }
}

/// The refused value that a metric needs; its other formulas would be short of that.
const Missing* refused_of(const Metric& metric, const std::vector<Missing>& refused) {
  const std::vector<std::string> names = counters_of(metric);
  for (const Missing& one : refused)
    if (holds(names, one.name)) return &one;
  return nullptr;
}

std::string why_not(const Metric& metric, const Trial& trial) {
  std::string why;
  for (const std::string& group : groups_of(counters_of(metric))) {
    const auto lacking = trial.lacking.find(group);
    why += fmt::format("{}group {}{}", why.empty() ? "" : "; ", group,
                       lacking != trial.lacking.end() ? ": " + lacking->second
                                                      : " has no such counter on this processor");
  }
  return why;
}

/// Derives the metrics; those that are not to be had are missing, with the reason.
void derive(const Trial& trial, Counted& counted) {
  counted.metrics = evaluate(counted.counters, host_table());
  const std::vector<Missing> refused = std::exchange(counted.missing, {});
  for (const Metric& metric : host_table().metrics) {
    if (counters_of(metric).empty()) continue;
    const Missing* bad = refused_of(metric, refused);
    if (bad != nullptr) counted.metrics.erase(metric.name);
    if (!metric_value(counted.metrics, metric.name))
      counted.missing.push_back(
          {metric.name, bad != nullptr ? bad->reason : why_not(metric, trial)});
  }
}

/// Operations once more: they must be the same, or others worked beside it.
void compare(double first, double second, Counted& counted) {
  if (std::abs(first - second) <= equal_work * std::abs(first)) return;
  counted.defects.push_back(fmt::format(
      "the passes counted different work: {:.6g} FLOP, then {:.6g}; other programs on the same "
      "processors are counted, too",
      first, second));
}

/// Why the counts are of no use; empty where they are.
std::string lacks(const Counted& counted) {
  const auto flop = metric_value(counted.metrics, operations);
  const auto reason_of = [&counted](const std::string& name) {
    for (const Missing& missing : counted.missing)
      if (missing.name == name) return ": " + missing.reason;
    return std::string();
  };
  if (!flop) return fmt::format("{} was not counted{}", operations, reason_of(operations));
  if (!(*flop > 0)) return "the counters stood still: LIKWID counted no FP64 operation";
  for (const char* name : traffic)
    if (metric_value(counted.metrics, name)) return {};
  return fmt::format("no traffic was counted{}", reason_of(traffic[0]));
}

class Counters : public HostCounters {
 public:
  Counters(std::vector<std::string> libraries, double limit)
      : libraries_(std::move(libraries)), limit_(limit) {}

  std::string unavailable() const override {
    std::call_once(tried_, [this] { reason_ = try_once(); });
    return reason_;
  }

  Counted count(const CheckedRun& run) const override {
    return counted_or_why_not([&] {
      if (std::string why = unavailable(); !why.empty()) return not_counted(std::move(why));
      run.run();  // loads code and data
      check_results(run);
      const double start = steady_seconds();
      Counted counted = count_groups(run);
      counted.seconds = steady_seconds() - start;
      return counted;
    });
  }

 private:
  /// The reason why nothing can be counted, or "".
  std::string try_once() const {
    try {
      library_ = load(libraries_);
    } catch (const RecorderError& error) {
      return error.what();
    }
    trial_ = try_out(library_, allowed_cpus(), groups_of(wanted_counters()), limit_);
    if (!trial_.failure.empty()) return fmt::format("{}; {}", trial_.failure, remedy());
    const std::vector<std::string> needed =
        groups_of(counters_of(*host_table().find_metric(operations)));
    for (const std::string& group : needed)
      if (const auto lacking = trial_.lacking.find(group); lacking != trial_.lacking.end())
        return fmt::format("LIKWID cannot count FP64 operations here: group {}: {}", group,
                           lacking->second);
    return {};
  }

  Counted count_groups(const CheckedRun& run) const {
    if (!session_) {
      const Silence silence;
      const SameCpus same_cpus;
      session_.emplace(library_, allowed_cpus());
    }
    const std::vector<std::string> wanted = wanted_counters();
    Counted counted;
    counted.source = CountedBy::likwid;
    for (const std::string& group : groups_of(wanted))
      if (!trial_.lacking.contains(group)) keep(record(*session_, group, run), wanted, counted);
    derive(trial_, counted);
    if (std::string missing = lacks(counted); !missing.empty()) {
      counted.source = CountedBy::nobody;
      counted.reason = std::move(missing);
      return counted;
    }
    count_again(run, counted);
    return counted;
  }

  void count_again(const CheckedRun& run, Counted& counted) const {
    const Metric& metric = *host_table().find_metric(operations);
    const Recording again = record(*session_, groups_of(counters_of(metric)).front(), run);
    counted.passes += again.passes;
    const Metrics second = evaluate(again.counters, host_table());
    compare(counted.metrics.at(operations), metric_value(second, operations).value_or(0), counted);
  }

  std::vector<std::string> libraries_;
  double limit_;
  mutable std::once_flag tried_;
  mutable std::string reason_;
  mutable Library library_;
  mutable Trial trial_;
  mutable std::optional<Session> session_;  // LIKWID does not like to begin twice
};

}  // namespace

std::unique_ptr<HostCounters> counters_of(const std::vector<std::string>& libraries, double limit) {
  return std::make_unique<Counters>(libraries, limit);
}

}  // namespace roofline::likwid

namespace roofline {

const HostCounters& likwid_counters() {
  static const std::unique_ptr<HostCounters> counters =
      likwid::counters_of(likwid::library_names());
  return *counters;
}

}  // namespace roofline
