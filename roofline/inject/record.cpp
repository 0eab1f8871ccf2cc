#include "roofline/inject/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/metrics.h"
#include "roofline/models/model_table.h"

namespace roofline::inject {
namespace {

const auto* find_in(const auto& map, const auto& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// What a rank did in one run.
struct Part {
  const char* measures;
  const Tally* run;                 ///< null: there was no such run
  const RankTally* rank = nullptr;  ///< null: it was not in that run
  GroupTally kernels = {};
};

/// By Purpose.
using Parts = std::array<Part, 3>;
constexpr std::size_t timed = 0, hardware = 1, instructions = 2;

Parts parts_of(const Runs& runs, int number) {
  Parts parts = {Part{"times", &runs.timed},
                 {"bytes", runs.hardware ? &*runs.hardware : nullptr},
                 {"operations", runs.instructions ? &*runs.instructions : nullptr}};
  for (Part& part : parts) {
    if (part.run != nullptr) part.rank = find_in(part.run->ranks, number);
    if (part.rank != nullptr) part.kernels = part.rank->kernels();
  }
  return parts;
}

/// A kernel's or range's launches in each run, or why there are none.
struct Launched {
  std::array<const KernelTally*, 3> in = {};
  std::array<std::string, 3> why = {};
};

/// Work or bytes by their names in a profile.
struct Amount {
  std::string key;
  const Metric* metric;
  bool by_software;
};

const std::vector<Amount>& amounts() {
  static const std::vector<Amount> all = [] {
    std::vector<Amount> found;
    for (const Model& model : nvidia_table().models)
      found.push_back({work_key(model.name), find_metric(model.work), false});
    for (const Level& level : nvidia_table().levels)
      found.push_back({level.name, find_metric(level.traffic), false});
    for (Amount& one : found)
      one.by_software = std::ranges::any_of(counters_of(*one.metric), counted_by_software);
    return found;
  }();
  return all;
}

/// True if CUPTI gave no number in some launches.
bool has_lost(const KernelTally& run, const std::string& counter) {
  const double* value = find_in(run.counters, counter);
  return value != nullptr && !std::isfinite(*value);
}

/// Marks work and bytes as missing that were not counted in all launches.
void name_the_missing(const Launched& launched, KernelProfile& kernel) {
  const Metrics known = evaluate(kernel.counters, nvidia_table());
  for (const Amount& amount : amounts()) {
    const std::size_t run = amount.by_software ? instructions : hardware;
    const KernelTally* counted = launched.in[run];
    if (counted == nullptr)
      kernel.missing.push_back({amount.key, launched.why[run]});
    else if (!metric_value(known, amount.metric->name) &&
             std::ranges::any_of(counters_of(*amount.metric), [&](const std::string& counter) {
               return has_lost(*counted, counter);
             }))
      kernel.missing.push_back({amount.key, "CUPTI gave no number for some launches"});
  }
  if (launched.in[hardware] != nullptr &&
      std::ranges::any_of(launched.in[hardware]->counters, [&](const auto& one) {
        return counts_bulk_copies(one.first) && !std::isfinite(one.second);
      }))
    kernel.notes.emplace_back(
        "Bulk copies into shared memory (TMA) were not counted: L1 lacks them");
}

/// Makes the profile of a kernel or range. Its launches are those of the last run that it has here;
/// other runs' numbers are scaled to them.
KernelProfile joined(const std::string& name, const Launched& launched) {
  KernelProfile kernel;
  kernel.name = name;
  for (const std::size_t run : {timed, instructions, hardware})
    if (const KernelTally* one = launched.in[run]) kernel.launches = one->launches;
  const auto scale = [&kernel](const KernelTally& run) {
    return static_cast<double>(kernel.launches) / static_cast<double>(run.launches);
  };
  bool differ = false;
  for (const KernelTally* one : launched.in)
    if (one != nullptr) {
      differ = differ || one->launches != kernel.launches;
      for (const auto& [counter, value] : one->counters)
        if (std::isfinite(value)) kernel.counters.emplace(counter, value * scale(*one));
    }
  name_the_missing(launched, kernel);
  if (const KernelTally* run = launched.in[timed]) {
    kernel.forms = run->forms;
    std::ranges::stable_sort(kernel.forms, std::ranges::greater(), &FormLaunches::seconds);
    kernel.seconds = run->seconds * scale(*run);
    if (run->more_forms)
      kernel.missing.push_back({"forms", "it was launched in more forms than there is room for"});
  } else {
    kernel.missing.push_back({"seconds", "it did not run in the timed run"});
  }
  if (differ) {
    const auto number = [&launched](std::size_t run) {
      return launched.in[run] == nullptr ? 0 : launched.in[run]->launches;
    };
    kernel.notes.push_back(fmt::format(
        "Launches of {}: {} timed, {} counted, {} instrumented; all numbers are scaled "
        "to {}",
        short_name(name), number(timed), number(hardware), number(instructions), kernel.launches));
  }
  return kernel;
}

/// The reasons why kernels were not counted.
std::array<std::string, 3> usual_reasons(const Parts& parts) {
  const std::string none = "none of its launches was counted";
  const bool asked = parts[instructions].run != nullptr || parts[hardware].run == nullptr;
  return {"", none, asked ? none : "not asked for, or interrupted: --counters full counts it"};
}

/// A range's counts in one run, each kernel scaled to its timed launches, because it is assumed to
/// do the same work in every launch. Empty, with the reason, if one of them was not counted.
std::optional<KernelTally> counted_in(const GroupTally& group, const GroupTally* counted,
                                      std::string& why) {
  if (counted == nullptr) return std::nullopt;
  KernelTally sum;
  for (const auto& [key, kernel] : group) {
    const KernelTally* one = find_in(*counted, key);
    if (one == nullptr || (key.name == other_kernels && one->launches != kernel.launches)) {
      why = fmt::format("launches of {} in it: {} timed, {} counted", short_name(key.name),
                        kernel.launches, one == nullptr ? "none" : "others");
      return std::nullopt;
    }
    KernelTally scaled = *one;
    for (auto& [counter, value] : scaled.counters)
      value *= static_cast<double>(kernel.launches) / static_cast<double>(one->launches);
    scaled.launches = kernel.launches;
    sum.add(scaled, 0);
  }
  return sum;
}

RangeProfile range_profile(const RangeTally& range, const Parts& parts) {
  RangeProfile profile;
  profile.parent = static_cast<int>(range.parent) - 1;
  if (!range.path.empty()) {
    profile.domain = range.path.back().domain;
    profile.name = range.path.back().name;
  }
  if (range.kernels.empty()) return profile;
  KernelTally sum;
  for (const auto& [key, kernel] : range.kernels) {
    sum.add(kernel, 0);
    profile.kernels.push_back({key.name, kernel.launches, kernel.seconds});
  }
  sum.more_forms = false;  // a range has none
  Launched launched{{&sum}, usual_reasons(parts)};
  std::array<std::optional<KernelTally>, 3> counted;
  for (const std::size_t run : {hardware, instructions}) {
    const RankTally* rank = parts[run].rank;
    counted[run] = counted_in(range.kernels, rank == nullptr ? nullptr : rank->in(range.path),
                              launched.why[run]);
    if (counted[run]) launched.in[run] = &*counted[run];
  }
  profile.own = joined(profile.name, launched);
  return profile;
}

/// Adds the rank's ranges; launches outside of all ranges come last, if there are ranges.
void add_ranges(const Parts& parts, Profile& profile) {
  if (parts[timed].rank == nullptr || parts[timed].rank->ranges.size() < 2) return;
  const std::vector<RangeTally>& ranges = parts[timed].rank->ranges;
  for (std::size_t i = 1; i < ranges.size(); ++i)
    profile.ranges.push_back(range_profile(ranges[i], parts));
  if (!ranges[0].kernels.empty()) profile.ranges.push_back(range_profile(ranges[0], parts));
}

void add_notes(const Parts& parts, int rank, Profile& profile) {
  std::vector<std::string>& notes = profile.notes;
  for (const Part& part : parts) {
    if (part.run == nullptr) continue;
    notes.push_back(fmt::format("{} launches in the run for {}",
                                part.rank == nullptr ? 0 : part.rank->watched, part.measures));
    for (const std::string& note : part.run->notes)
      notes.push_back(fmt::format("In the run for {}: {}", part.measures, note));
    if (part.run->interrupted != 0)
      notes.push_back(fmt::format("The run for {} was interrupted", part.measures));
    if (!part.run->refused.empty())
      notes.push_back(
          fmt::format("The run for {} ended early: {}", part.measures, part.run->refused));
  }
  if (parts[hardware].run == nullptr) notes.emplace_back("Nothing was counted");
  if (rank != no_rank && parts[timed].run->ranks.contains(no_rank))
    notes.emplace_back(
        "Processes without a rank launched kernels, too, which no rank's record has");
  std::set<std::string> devices;
  for (const ProfiledGpu& gpu : profile.gpus) devices.insert(gpu.name);
  if (devices.size() > 1)
    notes.push_back(
        fmt::format("Kernels ran on several kinds of devices, under the roofs of GPU 0: {}",
                    fmt::join(devices, ", ")));
}

/// Adds the devices of these kernels by their numbers; returns their keys in that order. Different
/// processes may use equal numbers.
std::vector<std::string> add_gpus(const Parts& parts, const std::set<KernelKey>& kernels,
                                  Profile& profile) {
  std::map<std::string, SeenGpu> seen;
  for (const Part& part : parts)
    if (part.run != nullptr)
      for (const auto& [key, gpu] : part.run->gpus)
        if (std::ranges::find(kernels, key, &KernelKey::gpu) != kernels.end())
          seen.emplace(key, gpu);
  std::vector<std::string> keys;
  for (const auto& [key, gpu] : seen) keys.push_back(key);
  std::ranges::stable_sort(keys, {}, [&seen](const std::string& key) { return seen[key].number; });
  for (const std::string& key : keys)
    profile.gpus.push_back({seen[key].name, seen[key].compute_capability});
  if (!keys.empty()) profile.device = profile.gpus.front().name;
  return keys;
}

void add_counters_of(const std::string& name, std::vector<std::string>& names) {
  const Metric* metric = find_metric(name);
  if (metric == nullptr) return;
  for (const std::string& counter : counters_of(*metric))
    if (std::find(names.begin(), names.end(), counter) == names.end()) names.push_back(counter);
}

}  // namespace

Task task_of(Purpose purpose, const Selection& selection) {
  Task task;
  task.selection = selection;
  if (purpose == Purpose::time) return task;
  const bool software = purpose == Purpose::instructions;
  std::vector<std::string> names, tensor;
  for (const Model& model : nvidia_table().models)
    add_counters_of(model.work, work_key(model.name) == model.name ? names : tensor);
  for (const Level& level : nvidia_table().levels) add_counters_of(level.traffic, names);
  if (software)
    for (const Model& model : nvidia_table().instruction_models) {
      for (const std::string& metric : {model.work, model.active}) add_counters_of(metric, names);
      for (const Level& level : model.levels) add_counters_of(level.traffic, names);
    }
  for (const std::string& name : names) {
    if (counted_by_software(name) != software) continue;
    (counts_bulk_copies(name) ? tensor : task.counters).push_back(name);
  }
  if (software)
    task.counters.emplace_back(half_constants);
  else  // HFMA2, with which compilers load constants, runs on Hopper's tensor pipe and is counted
        // there. Exactly this set of counters fits into one pass on GH100.
    task.further = {"sm__inst_executed_pipe_tensor.sum",
                    "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", tensor};
  return task;
}

double expected_seconds(const Tally& run, Purpose purpose) {
  const bool instrumented = purpose == Purpose::instructions;
  const double kernel = 0.1;  // share of a kernel's first launch
  const double launch = instrumented ? 0.006 : 0.003;
  const double times = instrumented ? 150 : 1;  // factor by which a kernel is slower
  double seconds = run.seconds + launch * static_cast<double>(run.watched);
  for (const auto& [number, rank] : run.ranks)
    for (const auto& [key, one] : rank.kernels()) seconds += kernel + times * one.seconds;
  return seconds;
}

std::vector<int> ranks_of(const Tally& run) {
  std::vector<int> ranks;
  for (const auto& [number, rank] : run.ranks)
    if (number != no_rank) ranks.push_back(number);
  return ranks;
}

std::vector<std::optional<int>> turns_of_ranks(const Tally& run) {
  std::vector<std::optional<int>> turns;
  std::set<std::string> taken;
  bool shared = false;
  for (const auto& [number, rank] : run.ranks) {
    turns.emplace_back(number);
    std::set<std::string> gpus;
    for (const auto& [key, kernel] : rank.kernels()) gpus.insert(key.gpu);
    for (const std::string& gpu : gpus) shared = !taken.insert(gpu).second || shared;
  }
  return shared ? turns : std::vector<std::optional<int>>{std::nullopt};
}

Profile profile_of(const std::string& program, const Runs& runs, int rank) {
  const Parts parts = parts_of(runs, rank);
  Profile profile;
  profile.source = "cupti";
  profile.program = program;
  profile.kind = "gpu";
  profile.created = utc_now();
  std::set<KernelKey> keys;
  for (const Part& part : parts)
    for (const auto& [key, kernel] : part.kernels) keys.insert(key);
  const std::vector<std::string> gpus = add_gpus(parts, keys, profile);
  for (const KernelKey& key : keys) {
    Launched launched{{}, usual_reasons(parts)};
    for (std::size_t run = 0; run < parts.size(); ++run)
      launched.in[run] = find_in(parts[run].kernels, key);
    KernelProfile& kernel = profile.kernels.emplace_back(joined(key.name, launched));
    if (const auto place = std::ranges::find(gpus, key.gpu); gpus.size() > 1 && place != gpus.end())
      kernel.gpu = static_cast<int>(place - gpus.begin());
  }
  add_ranges(parts, profile);
  add_notes(parts, rank, profile);
  return profile;
}

}  // namespace roofline::inject
