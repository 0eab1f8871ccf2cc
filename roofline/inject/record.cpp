#include "roofline/inject/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/machine.h"
#include "roofline/metrics.h"
#include "roofline/models/model_table.h"

namespace roofline::inject {
namespace {

void add_counters_of(const std::string& name, std::vector<std::string>& names) {
  const Metric* metric = find_metric(name);
  if (metric == nullptr) return;
  for (const std::string& counter : counters_of(*metric))
    if (std::find(names.begin(), names.end(), counter) == names.end()) names.push_back(counter);
}

/// Why work or bytes that people expect are not there, where the counters themselves do not tell.
void tell_what_was_not_asked(Counters counters, KernelProfile& kernel) {
  if (counters == Counters::full) return;
  for (const Model& model : nvidia_table().models) {
    const std::vector<std::string> names = counters_of(*find_metric(model.work));
    if (std::any_of(names.begin(), names.end(), counted_by_software))
      kernel.missing.push_back({work_key(model.name), "not asked for: --counters full counts it"});
  }
}

KernelProfile counted_kernel(const std::string& name, const KernelTally& counts,
                             const KernelTally* times, Counters counters) {
  KernelProfile kernel;
  kernel.name = name;
  kernel.launches = counts.launches;
  kernel.counters = counts.counters;
  for (const std::string& counter : counts.lost)
    kernel.missing.push_back({counter, "CUPTI gave no number for some launches"});
  tell_what_was_not_asked(counters, kernel);
  if (times == nullptr || times->launches == 0) {
    kernel.missing.push_back({"seconds", "it did not run in the timed run"});
    return kernel;
  }
  const auto launches = static_cast<double>(counts.launches);
  kernel.seconds = times->seconds * launches / static_cast<double>(times->launches);
  if (counts.launches != times->launches)
    kernel.notes.push_back(fmt::format(
        "Of {}, {} launches were counted and {} timed: its time is the mean of those times {}",
        short_name(name), counts.launches, times->launches, counts.launches));
  return kernel;
}

/// Known by its time alone.
KernelProfile timed_kernel(const std::string& name, const KernelTally& times) {
  KernelProfile kernel;
  kernel.name = name;
  kernel.launches = times.launches;
  kernel.seconds = times.seconds;
  const auto miss = [&kernel](const std::string& what) {
    kernel.missing.push_back({what, "none of its launches was counted"});
  };
  for (const Model& model : nvidia_table().models) miss(work_key(model.name));
  for (const Level& level : nvidia_table().levels) miss(level.name);
  return kernel;
}

void add_notes(const Tally& timed, const std::optional<Tally>& counted, Profile& profile) {
  std::vector<std::string>& notes = profile.notes;
  notes.push_back(fmt::format(
      "Times are those of a run without counters: {} launches, by the device's clock (CUPTI's "
      "activity records)",
      timed.watched));
  if (!counted) {
    notes.push_back("Nothing was counted: the timed run was interrupted");
  } else {
    notes.push_back(
        fmt::format("Counts are those of a second run: {} launches, each run {} times to count it, "
                    "and {} times "
                    "where tensor cores were busy and at first",
                    counted->watched, counted->passes, counted->most_passes));
    if (counted->interrupted != 0)
      notes.push_back("The counted run was interrupted: later launches are missing");
    if (!counted->refused.empty()) notes.push_back("Counting ended early: " + counted->refused);
    if (counted->status != timed.status)
      notes.push_back(fmt::format("The program ended with {} when timed and {} when counted",
                                  timed.status, counted->status));
  }
  if (timed.interrupted != 0) notes.push_back("The timed run was interrupted");
  if (timed.processes > 1)
    notes.push_back(fmt::format("{} processes of the program used CUDA; their kernels are added up",
                                timed.processes));
  if (timed.devices.size() > 1)
    notes.push_back(
        fmt::format("Kernels ran on several kinds of devices, under the roofs of the first: {}",
                    fmt::join(timed.devices, ", ")));
  for (const Tally* tally : {&timed, counted ? &*counted : nullptr})
    if (tally != nullptr) notes.insert(notes.end(), tally->notes.begin(), tally->notes.end());
}

}  // namespace

Task task_of(Counters counters, const Selection& selection) {
  Task task;
  task.selection = selection;
  task.counters = {"sm__inst_executed.sum"};
  task.further.sign = "sm__inst_executed_pipe_tensor.sum";
  for (const Model& model : nvidia_table().models)
    add_counters_of(model.work,
                    work_key(model.name) == model.name ? task.counters : task.further.counters);
  for (const Level& level : nvidia_table().levels) add_counters_of(level.traffic, task.counters);
  if (counters == Counters::fast) std::erase_if(task.counters, counted_by_software);
  return task;
}

double expected_seconds(const Tally& timed, Counters counters) {
  // Of each launch, beside the kernel itself; and how many times its time the passes take.
  const double launch = counters == Counters::fast ? 0.02 : 0.05;
  const double times = counters == Counters::fast ? 10 : 150;
  double kernels = 0;
  for (const auto& [name, kernel] : timed.kernels) kernels += kernel.seconds;
  return timed.seconds + launch * static_cast<double>(timed.watched) + times * kernels;
}

Profile profile_of(const std::string& program, const Tally& timed,
                   const std::optional<Tally>& counted, Counters counters) {
  Profile profile;
  profile.source = "cupti";
  profile.program = program;
  profile.device = timed.devices.empty() ? "" : *timed.devices.begin();
  profile.kind = "gpu";
  profile.created = utc_now();
  if (counted)
    for (const auto& [name, counts] : counted->kernels) {
      const auto times = timed.kernels.find(name);
      profile.kernels.push_back(counted_kernel(
          name, counts, times == timed.kernels.end() ? nullptr : &times->second, counters));
    }
  for (const auto& [name, times] : timed.kernels)
    if (!counted || !counted->kernels.contains(name))
      profile.kernels.push_back(timed_kernel(name, times));
  add_notes(timed, counted, profile);
  return profile;
}

}  // namespace roofline::inject
