#include "roofline/likwid/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <utility>

#include "roofline/base/visible.h"

namespace roofline::likwid {
namespace {

/// LIKWID's results below zero are errno's, negated.
void require(int result, const std::string& what) {
  if (result < 0) throw RecorderError(fmt::format("{} gave {}", what, result));
}

/// A name that LIKWID owns.
std::string text_of(const char* name) { return name == nullptr ? "" : name; }

}  // namespace

Silence::Silence() {
  std::fflush(nullptr);
  output_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  errors_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  if (output_ >= 0) dup2(nothing, STDOUT_FILENO);
  if (errors_ >= 0) dup2(nothing, STDERR_FILENO);
  close(nothing);
}

Silence::~Silence() {
  std::fflush(nullptr);
  for (const auto& [kept, number] : {std::pair{output_, STDOUT_FILENO}, {errors_, STDERR_FILENO}}) {
    if (kept < 0) continue;
    dup2(kept, number);
    close(kept);
  }
}

std::vector<std::string> groups_of(const std::vector<std::string>& counters) {
  std::vector<std::string> groups;
  for (const std::string& counter : counters) {
    const std::string group = counter.substr(0, counter.find('.'));
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

std::string counter_name(const std::string& group, const std::string& name) {
  std::string text = group + ".";
  bool gap = false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      gap = true;
      continue;
    }
    if (gap && !text.ends_with('.')) text += '_';
    gap = false;
    text += c;
  }
  return text;
}

Session::Session(const Library& library, std::vector<int> cpus)
    : library_(library), cpus_(std::move(cpus)) {
  library_.perfmon_setVerbosity(0);
  if (const int result = library_.topology_init(); result != 0)
    throw RecorderError(fmt::format("topology_init gave {}", result));
  library_.numa_init();
  library_.affinity_init();
  const int result = library_.perfmon_init(static_cast<int>(cpus_.size()), cpus_.data());
  if (result != 0) throw RecorderError(fmt::format("perfmon_init gave {}", result));
}

Session::~Session() { library_.perfmon_finalize(); }

int Session::id_of(const std::string& group) {
  const auto found = groups_.find(group);
  if (found != groups_.end()) return found->second;
  const int id = library_.perfmon_addEventSet(group.c_str());
  require(id, "perfmon_addEventSet");
  groups_.emplace(group, id);
  return id;
}

void Session::start(const std::string& group) {
  const int id = id_of(group);
  require(library_.perfmon_setupCounters(id), "perfmon_setupCounters");
  require(library_.perfmon_startCounters(), "perfmon_startCounters");
  group_ = group;
}

void Session::add(Recording& recording, const std::string& name,
                  const std::vector<double>& values) const {
  double sum = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || value < 0) {
      recording.missing.push_back(
          {counter_name(group_, name),
           fmt::format("LIKWID gave {:.4g} for {} of its group {}", value, visible(name), group_)});
      return;
    }
    sum += value;
  }
  recording.counters.emplace(counter_name(group_, name), sum);
}

Recording Session::stop() {
  require(library_.perfmon_stopCounters(), "perfmon_stopCounters");
  const int id = groups_.at(group_);
  Recording recording;
  recording.passes = 1;
  const auto on_every_cpu = [&](int index, double (*value)(int, int, int)) {
    std::vector<double> values;
    for (int cpu = 0; cpu < static_cast<int>(cpus_.size()); ++cpu)
      values.push_back(value(id, index, cpu));
    return values;
  };
  for (int event = 0; event < library_.perfmon_getNumberOfEvents(id); ++event)
    add(recording, text_of(library_.perfmon_getEventName(id, event)),
        on_every_cpu(event, library_.perfmon_getLastResult));
  for (int metric = 0; metric < library_.perfmon_getNumberOfMetrics(id); ++metric)
    add(recording, text_of(library_.perfmon_getMetricName(id, metric)),
        on_every_cpu(metric, library_.perfmon_getLastMetric));
  add(recording, "seconds", {library_.perfmon_getLastTimeOfGroup(id)});
  return recording;
}

}  // namespace roofline::likwid
