#include "roofline/inject/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/base/saturating.h"
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

const auto* pointer(const auto& optional) { return optional ? &*optional : nullptr; }

const auto* find_in(const auto& map, const auto& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

const KernelTally* tally_of(const KernelKey& key, const Tally* run) {
  return run == nullptr ? nullptr : find_in(run->kernels, key);
}

/// The reason why a kernel or range has no counts in a counted run.
struct Uncounted {
  std::string hardware = "none of its launches was counted";
  std::string instructions = hardware;
};

void miss(const std::string& name, const std::string& why, KernelProfile& kernel) {
  kernel.missing.push_back({name, why});
}

/// Marks operations that need instrumented instructions as missing.
void miss_instructions(const std::string& why, KernelProfile& kernel) {
  for (const Model& model : nvidia_table().models) {
    const std::vector<std::string> names = counters_of(*find_metric(model.work));
    if (std::any_of(names.begin(), names.end(), counted_by_software))
      miss(work_key(model.name), why, kernel);
  }
}

void miss_what_hardware_counts(const std::string& why, KernelProfile& kernel) {
  for (const Model& model : nvidia_table().models)
    if (work_key(model.name) != model.name) miss(work_key(model.name), why, kernel);
  for (const Level& level : nvidia_table().levels) miss(level.name, why, kernel);
}

/// Marks work and bytes as missing if CUPTI gave no number in some launches.
void name_the_lost(const KernelTally& run, KernelProfile& kernel) {
  const Metrics known = evaluate(kernel.counters, nvidia_table());
  const auto look = [&](const std::string& key, const std::string& metric) {
    const std::vector<std::string> names = counters_of(*find_metric(metric));
    if (!metric_value(known, metric) &&
        std::any_of(names.begin(), names.end(),
                    [&run](const std::string& name) { return run.lost.contains(name); }))
      miss(key, "CUPTI gave no number for some launches", kernel);
  };
  for (const Model& model : nvidia_table().models) look(work_key(model.name), model.work);
  for (const Level& level : nvidia_table().levels) look(level.name, level.traffic);
  if (std::ranges::any_of(run.lost, counts_bulk_copies))
    kernel.notes.emplace_back(
        "Bulk copies into shared memory (TMA) were not counted: L1 lacks them");
}

/// Adds another run's counts, scaled to this profile's launches.
void add_counters(const KernelTally& run, KernelProfile& kernel) {
  const double scale = static_cast<double>(kernel.launches) / static_cast<double>(run.launches);
  for (const auto& [counter, value] : run.counters)
    kernel.counters.emplace(counter, scale == 1 ? value : value * scale);
}

/// Notes the number of launches in each run, unless all are equal.
void note_launches(const KernelTally* timed, const KernelTally* hardware,
                   const KernelTally* instructions, KernelProfile& kernel) {
  std::vector<std::string> ran;
  bool differ = false;
  for (const auto& [run, what] : {std::pair{timed, "timed"}, std::pair{hardware, "counted"},
                                  std::pair{instructions, "instrumented"}}) {
    if (run == nullptr || run->launches == 0) continue;
    differ = differ || run->launches != kernel.launches;
    ran.push_back(fmt::format("{} {}", run->launches, what));
  }
  if (differ)
    kernel.notes.push_back(fmt::format("Launches of {}: {}; all numbers are scaled to {}",
                                       short_name(kernel.name), fmt::join(ran, ", "),
                                       kernel.launches));
}

/// Adds the forms of the launches, longest first.
void add_forms(const KernelTally& timed, KernelProfile& kernel) {
  for (const auto& [form, sum] : timed.forms) kernel.forms.push_back({form, sum.first, sum.second});
  std::ranges::stable_sort(kernel.forms, std::ranges::greater(), &FormLaunches::seconds);
  if (timed.more_forms)
    miss("forms", "it was launched in more forms than there is room for", kernel);
}

/// Makes the profile of a kernel or range from the runs; nullptr means no data.
KernelProfile tallied(const std::string& name, const Runs& runs, const KernelTally* timed,
                      const KernelTally* hardware, const KernelTally* instructions,
                      const Uncounted& why = {}) {
  KernelProfile kernel;
  kernel.name = name;
  for (const KernelTally* run : {timed, instructions, hardware})
    if (run != nullptr && run->launches > 0) kernel.launches = run->launches;
  if (hardware != nullptr)
    add_counters(*hardware, kernel);
  else
    miss_what_hardware_counts(why.hardware, kernel);
  if (instructions != nullptr)
    add_counters(*instructions, kernel);
  else
    miss_instructions(runs.instructions || !runs.hardware
                          ? why.instructions
                          : "not asked for, or interrupted: --counters full counts it",
                      kernel);
  for (const KernelTally* run : {hardware, instructions})
    if (run != nullptr && !run->lost.empty()) name_the_lost(*run, kernel);
  if (timed != nullptr && timed->launches > 0) add_forms(*timed, kernel);
  if (timed != nullptr && timed->launches > 0)
    kernel.seconds = timed->seconds * static_cast<double>(kernel.launches) /
                     static_cast<double>(timed->launches);
  else
    miss("seconds", "it did not run in the timed run", kernel);
  note_launches(timed, hardware, instructions, kernel);
  return kernel;
}

std::int64_t launches_in(const GroupTally& group) {
  std::int64_t sum = 0;
  for (const auto& [key, kernel] : group) sum = saturating_sum(sum, kernel.launches);
  return sum;
}

/// Adds a kernel to its range's sum. A counter that one kernel lacks is missing in the sum.
void add_to_sum(const KernelTally& kernel, double scale, KernelTally& sum) {
  sum.seconds += kernel.seconds;
  for (const auto& [counter, value] : kernel.counters) sum.counters[counter] += value * scale;
  sum.lost.insert(kernel.lost.begin(), kernel.lost.end());
}

KernelTally sum_of(const GroupTally& group) {
  KernelTally sum;
  sum.launches = launches_in(group);
  for (const auto& [key, kernel] : group) add_to_sum(kernel, 1, sum);
  return sum;
}

/// A range's counts in one run, scaled to its timed launches.
struct CountedGroup {
  std::optional<KernelTally> sum = {};
  std::string why = {};  ///< the reason if there are none
  std::vector<std::string> notes = {};
};

/// Scales each kernel whose counted and timed launches differ in number. A kernel is assumed to do
/// the same work in every launch.
CountedGroup scaled_group(const GroupTally& timed, const GroupTally& counted) {
  CountedGroup result;
  KernelTally& sum = result.sum.emplace();
  for (const auto& [key, kernel] : timed) {
    const auto found = counted.find(key);
    const std::int64_t launches = found == counted.end() ? 0 : found->second.launches;
    if (key.name == other_kernels && launches != kernel.launches)
      return {{}, "more kernels ran than are kept apart", {}};
    if (launches == 0)
      return {{},
              fmt::format("launches of {} in it: {} timed, none counted", short_name(key.name),
                          kernel.launches),
              {}};
    const double scale = static_cast<double>(kernel.launches) / static_cast<double>(launches);
    add_to_sum(found->second, scale, sum);
    if (kernel.launches != launches)
      result.notes.push_back(
          fmt::format("Launches of {} in it: {} timed, {} counted; its counts are scaled to {}",
                      short_name(key.name), kernel.launches, launches, kernel.launches));
  }
  return result;
}

/// Libraries may choose another kernel for the same work in a counted run.
CountedGroup counted_group(const GroupTally& timed, const GroupTally* counted) {
  if (counted == nullptr) return {{}, Uncounted().hardware, {}};
  CountedGroup result;
  if (launches_in(timed) == launches_in(*counted)) {
    result.sum = sum_of(*counted);
    for (const auto& [key, kernel] : *counted)
      if (!timed.contains(key))
        result.notes.push_back(fmt::format("Counted in place of a kernel that was timed in it: {}",
                                           short_name(key.name)));
  } else {
    result = scaled_group(timed, *counted);
  }
  if (!result.sum) return result;
  result.sum->launches = launches_in(timed);
  for (const std::string& counter : result.sum->lost) result.sum->counters.erase(counter);
  return result;
}

/// The profile of a range.
KernelProfile group_of(const std::string& name, const Runs& runs, const GroupTally& timed,
                       const GroupTally* hardware, const GroupTally* instructions) {
  const KernelTally sum = sum_of(timed);
  const CountedGroup bytes = counted_group(timed, hardware);
  const CountedGroup operations = counted_group(timed, instructions);
  KernelProfile group = tallied(name, runs, &sum, pointer(bytes.sum), pointer(operations.sum),
                                {bytes.why, operations.why});
  group.notes.insert(group.notes.end(), bytes.notes.begin(), bytes.notes.end());
  for (const std::string& note : operations.notes)
    if (std::ranges::find(group.notes, note) == group.notes.end()) group.notes.push_back(note);
  return group;
}

/// The range with the same path in another run's tree, or -1.
std::int64_t same_range(const RangeTree& from, std::int64_t range, const RangeTree& in) {
  if (range == 0) return 0;
  const std::int64_t parent = same_range(from, from[range].parent, in);
  return parent < 0 ? -1 : in.find(parent, from[range].range);
}

/// The launches of a run in a range of the timed run. Ranks have been separated before.
const GroupTally* in_same_range(const Runs& runs, std::int64_t range, const Tally* run) {
  constexpr int no_rank = -1;
  if (run == nullptr) return nullptr;
  return find_in(run->in_ranges,
                 std::pair(no_rank, same_range(runs.timed.ranges, range, run->ranges)));
}

/// Adds the ranges; launches outside of all ranges come last, if there are ranges.
void add_ranges(const Runs& runs, Profile& profile) {
  const RangeTree& tree = runs.timed.ranges;
  const auto add = [&](std::int64_t number, RangeProfile range) {
    const GroupTally* timed = in_same_range(runs, number, &runs.timed);
    if (timed == nullptr && number == 0) return;
    if (timed != nullptr) {
      range.own =
          group_of(range.name, runs, *timed, in_same_range(runs, number, pointer(runs.hardware)),
                   in_same_range(runs, number, pointer(runs.instructions)));
      for (const auto& [key, kernel] : *timed)
        range.kernels.push_back({key.name, kernel.launches, kernel.seconds});
    }
    profile.ranges.push_back(std::move(range));
  };
  for (std::int64_t number = 1; number <= tree.size(); ++number) {
    const RangeTree::Node& node = tree[number];
    add(number, {node.range.domain, node.range.name, static_cast<int>(node.parent) - 1, {}});
  }
  if (tree.size() > 0) add(0, {"", "", -1, {}});
}

std::string counted_as(const Tally& run, const char* what) {
  const std::string more =
      run.most_passes == run.passes
          ? ""
          : fmt::format("; first launches and those whose tensor cores were busy ran {} times each",
                        run.most_passes);
  return fmt::format("{} were counted in a run of their own: {} launches{}", what, run.watched,
                     more);
}

/// Adds notes with their run's name, because they may not hold for other runs.
void add_notes_of_runs(const Runs& runs, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<std::string>> noted;
  for (const auto& [run, what] :
       {std::pair{&runs.timed, "times"}, std::pair{pointer(runs.hardware), "bytes"},
        std::pair{pointer(runs.instructions), "operations"}})
    if (run != nullptr)
      for (const std::string& note : run->notes) noted[note].emplace_back(what);
  for (const auto& [note, whats] : noted)
    notes.push_back(fmt::format("In the run{} for {}: {}", whats.size() > 1 ? "s" : "",
                                fmt::join(whats, " and "), note));
}

void note_trouble(const Tally& run, const std::string& what, std::vector<std::string>& notes) {
  if (run.interrupted != 0) notes.push_back("The run for " + what + " was interrupted");
  if (!run.refused.empty()) notes.push_back("The run for " + what + " ended early: " + run.refused);
}

void add_notes(const Runs& runs, Profile& profile) {
  std::vector<std::string>& notes = profile.notes;
  notes.push_back(fmt::format(
      "Times are those of a run without counters: {} launches, by the device's clock (CUPTI's "
      "activity records)",
      runs.timed.watched));
  if (runs.hardware)
    notes.push_back(counted_as(*runs.hardware, "Bytes and tensor operations"));
  else
    notes.push_back("Nothing was counted");
  if (runs.instructions)
    notes.push_back(counted_as(*runs.instructions, "Operations of other instructions"));
  if (runs.timed.processes > 1)
    notes.push_back(fmt::format("{} processes of the program used CUDA; their kernels are added up",
                                runs.timed.processes));
  std::set<std::string> devices;
  for (const ProfiledGpu& gpu : profile.gpus) devices.insert(gpu.name);
  if (devices.size() > 1)
    notes.push_back(
        fmt::format("Kernels ran on several kinds of devices, under the roofs of GPU 0: {}",
                    fmt::join(devices, ", ")));
  add_notes_of_runs(runs, notes);
  note_trouble(runs.timed, "times", notes);
  if (runs.hardware) note_trouble(*runs.hardware, "bytes", notes);
  if (runs.instructions) note_trouble(*runs.instructions, "operations", notes);
  std::sort(notes.begin(), notes.end());
  notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
}

/// Adds the devices of all runs by their numbers; returns their keys in that order. Different
/// processes may use equal numbers.
std::vector<std::string> add_gpus(const Runs& runs, Profile& profile) {
  std::map<std::string, SeenGpu> seen;
  for (const Tally* run : {&runs.timed, pointer(runs.hardware), pointer(runs.instructions)})
    if (run != nullptr) seen.insert(run->gpus.begin(), run->gpus.end());
  std::vector<std::string> keys;
  for (const auto& [key, gpu] : seen) keys.push_back(key);
  std::ranges::stable_sort(keys, {}, [&seen](const std::string& key) { return seen[key].number; });
  for (const std::string& key : keys)
    profile.gpus.push_back({seen[key].name, seen[key].compute_capability});
  if (!keys.empty()) profile.device = profile.gpus.front().name;
  return keys;
}

}  // namespace

Task task_of(Purpose purpose, const Selection& selection) {
  Task task;
  task.selection = selection;
  if (purpose == Purpose::time) return task;
  std::vector<std::string> names, tensor, instructions;
  for (const Model& model : nvidia_table().models)
    add_counters_of(model.work, work_key(model.name) == model.name ? names : tensor);
  for (const Level& level : nvidia_table().levels) add_counters_of(level.traffic, names);
  for (const Model& model : nvidia_table().instruction_models) {
    for (const std::string& metric : {model.work, model.active})
      add_counters_of(metric, instructions);
    for (const Level& level : model.levels) add_counters_of(level.traffic, instructions);
  }
  // Counters that only the hardware has would need more passes.
  std::erase_if(instructions, [](const std::string& name) { return !counted_by_software(name); });
  names.insert(names.end(), instructions.begin(), instructions.end());
  const auto rare = std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    return !counts_bulk_copies(name);
  });
  tensor.insert(tensor.end(), rare, names.end());
  names.erase(rare, names.end());
  const bool software = purpose == Purpose::instructions;
  std::erase_if(
      names, [software](const std::string& name) { return counted_by_software(name) != software; });
  if (software) names.emplace_back(half_constants);
  task.counters = names;
  // HFMA2, with which compilers load constants, runs on Hopper's tensor pipe and is counted there.
  // Exactly this set of counters fits into one pass on GH100.
  if (!software)
    task.further = {"sm__inst_executed_pipe_tensor.sum",
                    "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", tensor};
  return task;
}

double expected_seconds(const Tally& timed, Purpose purpose) {
  const bool instrumented = purpose == Purpose::instructions;
  const double kernel = 0.1;  // share of a kernel's first launch
  const double launch = instrumented ? 0.006 : 0.003;
  const double times = instrumented ? 150 : 1;  // factor by which a kernel is slower
  double seconds = 0;
  for (const auto& [name, one] : timed.kernels) seconds += one.seconds;
  return timed.seconds + kernel * static_cast<double>(timed.kernels.size()) +
         launch * static_cast<double>(timed.watched) + times * seconds;
}

Profile profile_of(const std::string& program, const Runs& runs) {
  Profile profile;
  profile.source = "cupti";
  profile.program = program;
  profile.kind = "gpu";
  profile.created = utc_now();
  const std::vector<std::string> gpus = add_gpus(runs, profile);
  std::set<KernelKey> keys;
  for (const Tally* run : {&runs.timed, pointer(runs.hardware), pointer(runs.instructions)})
    if (run != nullptr)
      for (const auto& [key, kernel] : run->kernels) keys.insert(key);
  for (const KernelKey& key : keys) {
    KernelProfile& kernel = profile.kernels.emplace_back(
        tallied(key.name, runs, tally_of(key, &runs.timed), tally_of(key, pointer(runs.hardware)),
                tally_of(key, pointer(runs.instructions))));
    if (const auto place = std::ranges::find(gpus, key.gpu); gpus.size() > 1 && place != gpus.end())
      kernel.gpu = static_cast<int>(place - gpus.begin());
  }
  add_ranges(runs, profile);
  add_notes(runs, profile);
  return profile;
}

}  // namespace roofline::inject
