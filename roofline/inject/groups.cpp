// Assembles results for NVTX ranges, streams, and single launches.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "roofline/base/saturating.h"
#include "roofline/inject/record.h"

namespace roofline::inject {
namespace {

const Tally* run_in(const std::optional<Tally>& run) { return run ? &*run : nullptr; }

const auto* group_in(const auto& groups, const auto& key) {
  const auto found = groups.find(key);
  return found == groups.end() ? nullptr : &found->second;
}

std::int64_t launches_in(const GroupTally& group) {
  std::int64_t sum = 0;
  for (const auto& [key, kernel] : group) sum = saturating_sum(sum, kernel.launches);
  return sum;
}

/// Adds a kernel to its group's sum. A counter that one kernel lacks is missing in the sum.
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

/// A group's counts in one run, scaled to the group's timed launches.
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

/// The profile of a range or a stream.
KernelProfile group_of(const std::string& name, const Runs& runs, const GroupTally& timed,
                       const GroupTally* hardware, const GroupTally* instructions) {
  const KernelTally sum = sum_of(timed);
  const CountedGroup bytes = counted_group(timed, hardware);
  const CountedGroup operations = counted_group(timed, instructions);
  const auto pointer = [](const CountedGroup& of) { return of.sum ? &*of.sum : nullptr; };
  KernelProfile group =
      tallied(name, runs, &sum, pointer(bytes), pointer(operations), {bytes.why, operations.why});
  group.notes.insert(group.notes.end(), bytes.notes.begin(), bytes.notes.end());
  for (const std::string& note : operations.notes)
    if (std::ranges::find(group.notes, note) == group.notes.end()) group.notes.push_back(note);
  return group;
}

/// The range with the same path in another run's tree, or -1.
std::int64_t same_range(const RangeTree& from, std::int64_t range, const RangeTree* in) {
  if (in == nullptr) return -1;
  if (range == 0) return 0;
  const std::int64_t parent = same_range(from, from[range].parent, in);
  return parent < 0 ? -1 : in->find(parent, from[range].range);
}

/// Ranks have been separated before.
std::pair<int, std::int64_t> place_of(std::int64_t range) { return {-1, range}; }

const GroupTally* in_same_range(const Runs& runs, std::int64_t range, const Tally* run) {
  if (run == nullptr) return nullptr;
  return group_in(run->in_ranges, place_of(same_range(runs.timed.ranges, range, &run->ranges)));
}

/// Adds the ranges; launches outside of all ranges come last, if there are ranges.
void add_ranges(const Runs& runs, Profile& profile) {
  const RangeTree& tree = runs.timed.ranges;
  if (tree.size() == 0) return;
  const auto add = [&](std::int64_t number, RangeProfile range) {
    if (const GroupTally* timed = group_in(runs.timed.in_ranges, place_of(number)))
      range.own =
          group_of(range.name, runs, *timed, in_same_range(runs, number, run_in(runs.hardware)),
                   in_same_range(runs, number, run_in(runs.instructions)));
    else if (number == 0)
      return;
    profile.ranges.push_back(std::move(range));
  };
  for (std::int64_t number = 1; number <= tree.size(); ++number) {
    const RangeTree::Node& node = tree[number];
    add(number, {node.range.domain, node.range.name, static_cast<int>(node.parent) - 1, {}});
  }
  add(0, {"", "", -1, {}});
}

void add_streams(const Runs& runs, Profile& profile) {
  const auto in = [](const Tally* run, const auto& place) {
    return run == nullptr ? nullptr : group_in(run->in_streams, place);
  };
  if (runs.timed.in_streams.size() < 2) return;  // a single stream has the same work as the kernels
  for (const auto& [place, timed] : runs.timed.in_streams)
    profile.streams.push_back(group_of(place.second, runs, timed, in(run_in(runs.hardware), place),
                                       in(run_in(runs.instructions), place)));
}

/// The facts of a launch that are equal in all runs of the program.
auto identity_of(const LaunchTally& one) {
  return std::tuple(one.process, one.facts.number, one.facts.grid, one.facts.block);
}

using Counted = std::map<decltype(identity_of({})), const LaunchTally*>;

/// The single launches of a kernel that a run counted.
Counted counted_in(const Tally* run, const KernelKey& kernel) {
  Counted counted;
  const KernelTally* all = run == nullptr ? nullptr : group_in(run->kernels, kernel);
  if (all != nullptr)
    for (const LaunchTally& one : all->singles) counted[identity_of(one)] = &one;
  return counted;
}

/// A launch with all runs' counts.
LaunchProfile launch_of(const LaunchTally& timed, std::int64_t first, int outside,
                        const std::vector<std::pair<const Tally*, Counted>>& runs) {
  LaunchProfile launch;
  launch.process = timed.process;
  launch.stream = timed.stream;
  launch.range = timed.range > 0 ? static_cast<int>(timed.range) - 1 : outside;
  launch.start = static_cast<double>(timed.start - first) * 1e-9;
  launch.seconds = timed.seconds;
  launch.grid = timed.facts.grid;
  launch.block = timed.facts.block;
  bool any = false;
  for (const auto& [run, counted] : runs) {
    if (run == nullptr) continue;
    const auto found = counted.find(identity_of(timed));
    any = any || found != counted.end();
    for (std::size_t i = 0; i < run->single_counters.size(); ++i)
      launch.values.push_back(found == counted.end() ? std::numeric_limits<double>::quiet_NaN()
                                                     : found->second->values[i]);
  }
  if (!any) launch.values.clear();
  return launch;
}

void add_single_launches(const Runs& runs, const std::set<KernelKey>& keys, Profile& profile) {
  if (runs.timed.singles == 0) return;
  const std::vector<const Tally*> counted = {run_in(runs.hardware), run_in(runs.instructions)};
  for (const Tally* run : counted)
    if (run != nullptr)
      profile.launch_counters.insert(profile.launch_counters.end(), run->single_counters.begin(),
                                     run->single_counters.end());
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const auto& [name, kernel] : runs.timed.kernels)
    for (const LaunchTally& one : kernel.singles) first = std::min(first, one.start);
  const bool any_outside = !profile.ranges.empty() && profile.ranges.back().name.empty();
  const int outside = any_outside ? static_cast<int>(profile.ranges.size()) - 1 : -1;
  std::size_t place = 0;
  for (const KernelKey& key : keys) {
    KernelProfile& kernel = profile.kernels[place++];
    const KernelTally* timed = group_in(runs.timed.kernels, key);
    if (timed == nullptr) continue;
    std::vector<std::pair<const Tally*, Counted>> all;
    for (const Tally* run : counted) all.emplace_back(run, counted_in(run, key));
    for (const LaunchTally& one : timed->singles)
      kernel.single.push_back(launch_of(one, first, outside, all));
  }
  profile.launches_left_out = runs.timed.watched - runs.timed.singles;
  if (profile.launches_left_out > 0)
    profile.notes.push_back(
        fmt::format("The first {} launches are kept one by one; {} more are in the sums alone",
                    runs.timed.singles, profile.launches_left_out));
}

}  // namespace

void add_groups(const Runs& runs, const std::set<KernelKey>& keys, Profile& profile) {
  add_ranges(runs, profile);
  add_streams(runs, profile);
  add_single_launches(runs, keys, profile);
}

}  // namespace roofline::inject
