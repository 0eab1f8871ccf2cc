#include "roofline/inject/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
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

const auto* find_in(const auto& map, const auto& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// One rank's part of a run; empty if there was no such run.
struct Part {
  const Tally* run = nullptr;
  const RankTally* rank = nullptr;
  GroupTally kernels = {};

  Part(const Tally* of, int number) : run(of) {
    if (run != nullptr) rank = find_in(run->ranks, number);
    if (rank != nullptr) kernels = rank->kernels();
  }
};

/// The parts of a rank in all runs.
struct Parts {
  int rank;
  Part timed, hardware, instructions;

  Parts(const Runs& runs, int number)
      : rank(number),
        timed(&runs.timed, number),
        hardware(runs.hardware ? &*runs.hardware : nullptr, number),
        instructions(runs.instructions ? &*runs.instructions : nullptr, number) {}

  /// Those of runs that took place, each with the word for what it measured.
  std::vector<std::pair<const Part*, const char*>> all() const {
    std::vector<std::pair<const Part*, const char*>> all = {{&timed, "times"}};
    if (hardware.run != nullptr) all.emplace_back(&hardware, "bytes");
    if (instructions.run != nullptr) all.emplace_back(&instructions, "operations");
    return all;
  }
};

/// A kernel's or range's launches in each run; null: none.
struct Tallies {
  const KernelTally *timed, *hardware, *instructions;
  /// The reasons why the counted ones are none.
  std::string no_hardware = "none of its launches was counted";
  std::string no_instructions = no_hardware;
};

void miss(const std::string& name, const std::string& why, KernelProfile& kernel) {
  kernel.missing.push_back({name, why});
}

/// Work or bytes by their names in a profile.
struct Amount {
  std::string key, metric;
  bool by_software;
};

const std::vector<Amount>& amounts() {
  static const std::vector<Amount> all = [] {
    std::vector<Amount> found;
    for (const Model& model : nvidia_table().models)
      found.push_back(
          {work_key(model.name), model.work,
           std::ranges::any_of(counters_of(*find_metric(model.work)), counted_by_software)});
    for (const Level& level : nvidia_table().levels)
      found.push_back({level.name, level.traffic, false});
    return found;
  }();
  return all;
}

/// Marks as missing what one kind of run counts.
void miss_amounts(bool by_software, const std::string& why, KernelProfile& kernel) {
  for (const Amount& amount : amounts())
    if (amount.by_software == by_software) miss(amount.key, why, kernel);
}

/// Marks work and bytes as missing if CUPTI gave no number in some launches.
void name_the_lost(const KernelTally& run, KernelProfile& kernel) {
  const Metrics known = evaluate(kernel.counters, nvidia_table());
  const auto lost = [&run](const std::string& name) {
    const auto counter = run.counters.find(name);
    return counter != run.counters.end() && !std::isfinite(counter->second);
  };
  for (const Amount& amount : amounts())
    if (!metric_value(known, amount.metric) &&
        std::ranges::any_of(counters_of(*find_metric(amount.metric)), lost))
      miss(amount.key, "CUPTI gave no number for some launches", kernel);
  if (std::ranges::any_of(run.counters, [&lost](const auto& one) {
        return counts_bulk_copies(one.first) && lost(one.first);
      }))
    kernel.notes.emplace_back(
        "Bulk copies into shared memory (TMA) were not counted: L1 lacks them");
}

/// Adds another run's counts, scaled to this profile's launches.
void add_counters(const KernelTally& run, KernelProfile& kernel) {
  const double scale = static_cast<double>(kernel.launches) / static_cast<double>(run.launches);
  for (const auto& [counter, value] : run.counters)
    if (std::isfinite(value)) kernel.counters.emplace(counter, scale == 1 ? value : value * scale);
}

/// Notes the number of launches in each run, unless all are equal.
void note_launches(const Tallies& of, KernelProfile& kernel) {
  std::vector<std::string> ran;
  bool differ = false;
  for (const auto& [run, what] : {std::pair{of.timed, "timed"}, std::pair{of.hardware, "counted"},
                                  std::pair{of.instructions, "instrumented"}}) {
    if (run == nullptr) continue;
    differ = differ || run->launches != kernel.launches;
    ran.push_back(fmt::format("{} {}", run->launches, what));
  }
  if (differ)
    kernel.notes.push_back(fmt::format("Launches of {}: {}; all numbers are scaled to {}",
                                       short_name(kernel.name), fmt::join(ran, ", "),
                                       kernel.launches));
}

/// Makes the profile of a kernel or range.
KernelProfile tallied(const std::string& name, const Parts& parts, const Tallies& of) {
  KernelProfile kernel;
  kernel.name = name;
  for (const KernelTally* run : {of.timed, of.instructions, of.hardware})
    if (run != nullptr) kernel.launches = run->launches;
  if (of.hardware != nullptr)
    add_counters(*of.hardware, kernel);
  else
    miss_amounts(false, of.no_hardware, kernel);
  if (of.instructions != nullptr)
    add_counters(*of.instructions, kernel);
  else
    miss_amounts(true,
                 parts.instructions.run != nullptr || parts.hardware.run == nullptr
                     ? of.no_instructions
                     : "not asked for, or interrupted: --counters full counts it",
                 kernel);
  for (const KernelTally* run : {of.hardware, of.instructions})
    if (run != nullptr) name_the_lost(*run, kernel);
  if (of.timed != nullptr) {
    kernel.forms = of.timed->forms;
    std::ranges::stable_sort(kernel.forms, std::ranges::greater(), &FormLaunches::seconds);
    kernel.seconds = of.timed->seconds * static_cast<double>(kernel.launches) /
                     static_cast<double>(of.timed->launches);
    if (of.timed->more_forms)
      miss("forms", "it was launched in more forms than there is room for", kernel);
  } else {
    miss("seconds", "it did not run in the timed run", kernel);
  }
  note_launches(of, kernel);
  return kernel;
}

std::int64_t launches_in(const GroupTally& group) {
  std::int64_t sum = 0;
  for (const auto& [key, kernel] : group) sum = saturating_sum(sum, kernel.launches);
  return sum;
}

/// A range's counts in one run, for its timed launches; empty, with the reason, if there are none.
///
/// Libraries may choose another kernel for the same work in a counted run, so as many launches are
/// taken for the same. Of others each kernel is scaled, because it is assumed to do the same work
/// in every launch.
std::optional<KernelTally> counted_in(const GroupTally& timed, const GroupTally* counted,
                                      std::string& why, std::vector<std::string>& notes) {
  if (counted == nullptr) return std::nullopt;
  const bool as_many = launches_in(timed) == launches_in(*counted);
  KernelTally sum;
  for (const auto& [key, kernel] : as_many ? *counted : timed) {
    const KernelTally* one = find_in(*counted, key);
    if (one == nullptr || (key.name == other_kernels && one->launches != kernel.launches)) {
      why = fmt::format("launches of {} in it: {} timed, {} counted", short_name(key.name),
                        kernel.launches, one == nullptr ? "none" : "others");
      return std::nullopt;
    }
    KernelTally scaled = *one;
    for (auto& [counter, value] : scaled.counters)
      value *= static_cast<double>(kernel.launches) / static_cast<double>(one->launches);
    sum.add(scaled, 0);
    if (kernel.launches != one->launches)
      notes.push_back(
          fmt::format("Launches of {} in it: {} timed, {} counted; its counts are scaled to {}",
                      short_name(key.name), kernel.launches, one->launches, kernel.launches));
    if (as_many && !timed.contains(key))
      notes.push_back(fmt::format("Counted in place of a kernel that was timed in it: {}",
                                  short_name(key.name)));
  }
  sum.launches = launches_in(timed);
  return sum;
}

/// The launches of a run in a range of the timed run.
const GroupTally* in_same_range(const Parts& parts, std::int64_t range, const Part& part) {
  if (part.rank == nullptr) return nullptr;
  const std::int64_t same = part.run->ranges.find(parts.timed.run->ranges.path(range));
  return find_in(part.rank->in_ranges, same);
}

/// The profile of a range.
RangeProfile range_profile(const RangeName& range, const Parts& parts, std::int64_t number,
                           const GroupTally& timed) {
  RangeProfile profile{range.domain, range.name, -1, {}};
  KernelTally sum;
  for (const auto& [key, kernel] : timed) {
    sum.add(kernel, 0);
    profile.kernels.push_back({key.name, kernel.launches, kernel.seconds});
  }
  sum.more_forms = false;  // a range has none
  Tallies of{&sum, nullptr, nullptr};
  std::vector<std::string> notes;
  const auto bytes =
      counted_in(timed, in_same_range(parts, number, parts.hardware), of.no_hardware, notes);
  const auto operations = counted_in(timed, in_same_range(parts, number, parts.instructions),
                                     of.no_instructions, notes);
  if (bytes) of.hardware = &*bytes;
  if (operations) of.instructions = &*operations;
  profile.own = tallied(range.name, parts, of);
  for (const std::string& note : notes)
    if (std::ranges::find(profile.own.notes, note) == profile.own.notes.end())
      profile.own.notes.push_back(note);
  return profile;
}

/// Adds the rank's ranges; launches outside of all ranges come last, if there are ranges.
void add_ranges(const Parts& parts, Profile& profile) {
  if (parts.timed.rank == nullptr) return;
  const RangeTree& tree = parts.timed.run->ranges;
  const std::map<std::int64_t, GroupTally>& groups = parts.timed.rank->in_ranges;
  std::set<std::int64_t> used;
  for (const auto& [range, group] : groups)
    for (std::int64_t around = range; around > 0; around = tree[around].parent) used.insert(around);
  std::map<std::int64_t, int> places = {{0, -1}};
  for (const std::int64_t number : used) {
    const GroupTally* timed = find_in(groups, number);
    const RangeTree::Node& node = tree[number];
    RangeProfile range{node.range.domain, node.range.name, -1, {}};
    if (timed != nullptr) range = range_profile(node.range, parts, number, *timed);
    range.parent = places.at(node.parent);
    places[number] = static_cast<int>(profile.ranges.size());
    profile.ranges.push_back(std::move(range));
  }
  if (const GroupTally* outside = find_in(groups, 0); outside != nullptr && !used.empty())
    profile.ranges.push_back(range_profile({}, parts, 0, *outside));
}

std::string counted_as(const Part& part, const char* what) {
  const std::string more =
      part.run->most_passes == part.run->passes
          ? ""
          : fmt::format("; first launches and those whose tensor cores were busy ran {} times each",
                        part.run->most_passes);
  return fmt::format("{} were counted in a run of their own: {} launches{}", what,
                     part.rank == nullptr ? 0 : part.rank->watched, more);
}

/// Adds the runs' own notes with the run's name, because they may not hold for other runs.
void add_notes_of_runs(const Parts& parts, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<std::string>> noted;
  for (const auto& [part, what] : parts.all()) {
    for (const std::string& note : part->run->notes) noted[note].emplace_back(what);
    if (part->run->interrupted != 0)
      notes.push_back(fmt::format("The run for {} was interrupted", what));
    if (!part->run->refused.empty())
      notes.push_back(fmt::format("The run for {} ended early: {}", what, part->run->refused));
  }
  for (const auto& [note, whats] : noted)
    notes.push_back(fmt::format("In the run{} for {}: {}", whats.size() > 1 ? "s" : "",
                                fmt::join(whats, " and "), note));
}

void add_notes(const Parts& parts, Profile& profile) {
  std::vector<std::string>& notes = profile.notes;
  notes.push_back(fmt::format(
      "Times are those of a run without counters: {} launches, by the device's clock (CUPTI's "
      "activity records)",
      parts.timed.rank == nullptr ? 0 : parts.timed.rank->watched));
  if (parts.hardware.run != nullptr)
    notes.push_back(counted_as(parts.hardware, "Bytes and tensor operations"));
  else
    notes.push_back("Nothing was counted");
  if (parts.instructions.run != nullptr)
    notes.push_back(counted_as(parts.instructions, "Operations of other instructions"));
  if (parts.rank == no_rank && parts.timed.run->processes > 1)
    notes.push_back(fmt::format("{} processes of the program used CUDA; their kernels are added up",
                                parts.timed.run->processes));
  if (parts.rank != no_rank && parts.timed.run->ranks.contains(no_rank))
    notes.push_back("Processes without a rank launched kernels, too, which no rank's record has");
  std::set<std::string> devices;
  for (const ProfiledGpu& gpu : profile.gpus) devices.insert(gpu.name);
  if (devices.size() > 1)
    notes.push_back(
        fmt::format("Kernels ran on several kinds of devices, under the roofs of GPU 0: {}",
                    fmt::join(devices, ", ")));
  add_notes_of_runs(parts, notes);
  std::sort(notes.begin(), notes.end());
}

/// Adds the devices of all runs by their numbers; returns their keys in that order. Different
/// processes may use equal numbers.
std::vector<std::string> add_gpus(const Parts& parts, Profile& profile) {
  std::map<std::string, SeenGpu> seen;
  for (const auto& [part, what] : parts.all())
    for (const auto& [key, gpu] : part->run->gpus)
      if (parts.rank == no_rank || std::ranges::any_of(part->kernels, [&key](const auto& kernel) {
            return kernel.first.gpu == key;
          }))
        seen.emplace(key, gpu);
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
  double seconds = timed.seconds + launch * static_cast<double>(timed.watched);
  for (const auto& [number, rank] : timed.ranks)
    for (const auto& [key, one] : rank.kernels()) seconds += kernel + times * one.seconds;
  return seconds;
}

std::vector<int> ranks_of(const Tally& timed) {
  std::vector<int> ranks;
  for (const auto& [number, rank] : timed.ranks)
    if (number != no_rank) ranks.push_back(number);
  return ranks;
}

std::vector<std::vector<int>> turns_of_ranks(const Tally& timed) {
  std::vector<std::vector<int>> turns;
  std::vector<std::set<std::string>> taken;  // GPUs in use in each turn
  for (const auto& [number, rank] : timed.ranks) {
    std::set<std::string> gpus;
    for (const auto& [key, kernel] : rank.kernels()) gpus.insert(key.gpu);
    std::size_t turn = 0;
    const auto is_taken = [&](const std::string& gpu) { return taken[turn].contains(gpu); };
    while (turn < turns.size() && std::ranges::any_of(gpus, is_taken)) ++turn;
    turns.resize(std::max(turns.size(), turn + 1));
    taken.resize(turns.size());
    turns[turn].push_back(number);
    taken[turn].insert(gpus.begin(), gpus.end());
  }
  return turns.size() > 1 ? turns : std::vector<std::vector<int>>{{}};
}

Profile profile_of(const std::string& program, const Runs& runs, int rank) {
  const Parts parts(runs, rank);
  Profile profile;
  profile.source = "cupti";
  profile.program = program;
  profile.kind = "gpu";
  profile.created = utc_now();
  const std::vector<std::string> gpus = add_gpus(parts, profile);
  std::set<KernelKey> keys;
  for (const auto& [part, what] : parts.all())
    for (const auto& [key, kernel] : part->kernels) keys.insert(key);
  for (const KernelKey& key : keys) {
    KernelProfile& kernel = profile.kernels.emplace_back(
        tallied(key.name, parts,
                {find_in(parts.timed.kernels, key), find_in(parts.hardware.kernels, key),
                 find_in(parts.instructions.kernels, key)}));
    if (const auto place = std::ranges::find(gpus, key.gpu); gpus.size() > 1 && place != gpus.end())
      kernel.gpu = static_cast<int>(place - gpus.begin());
  }
  add_ranges(parts, profile);
  add_notes(parts, profile);
  return profile;
}

}  // namespace roofline::inject
