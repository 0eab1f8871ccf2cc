// The ranks of one program: which are counted in one run, and the results of each.
#include <algorithm>
#include <set>
#include <utility>

#include "roofline/inject/record.h"

namespace roofline::inject {
namespace {

constexpr int no_rank = -1;
/// The suffix, in the first rank's profile, for work of processes without a rank.
const std::string of_no_rank = "[no rank]";

/// Copies a tree of ranges, restricted to the wanted ones and their parents.
class PartOfTree {
 public:
  PartOfTree(const RangeTree& whole, RangeTree& part) : whole_(whole), part_(part) {}

  /// The number in the part of a range of the whole; `below` is the number of the outermost range.
  std::int64_t number(std::int64_t range, std::int64_t below) {
    if (range == 0) return below;
    const auto known = numbers_.find({range, below});
    if (known != numbers_.end()) return known->second;
    const RangeTree::Node& node = whole_[range];
    return numbers_[{range, below}] = part_.below(number(node.parent, below), node.range);
  }

 private:
  const RangeTree& whole_;
  RangeTree& part_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> numbers_;
};

/// The kernel's key without its rank; for a process without a rank, the name says so.
KernelKey key_within_rank(const KernelKey& key) {
  return {key.rank == no_rank ? key.name + " " + of_no_rank : key.name, key.gpu};
}

GroupTally group_within_rank(const GroupTally& group) {
  GroupTally own;
  for (const auto& [key, kernel] : group) own[key_within_rank(key)] = kernel;
  return own;
}

/// The facts that all ranks share.
Tally facts_of_run(const Tally& all) {
  Tally own;
  own.missing = all.missing;
  own.passes = all.passes;
  own.most_passes = all.most_passes;
  own.notes = all.notes;
  own.refused = all.refused;
  own.status = all.status;
  own.interrupted = all.interrupted;
  own.seconds = all.seconds;
  own.processes = 1;
  return own;
}

/// Adds one rank's results of a run.
void add_rank(const Tally& all, int rank, Tally& own) {
  PartOfTree ranges(all.ranges, own.ranges);
  const auto first = all.in_ranges.lower_bound({rank, 0});
  const auto end = all.in_ranges.lower_bound({rank + 1, 0});
  // Launches outside of ranges are reported only if there are ranges.
  const bool named = rank == no_rank && first != end;
  const std::int64_t below = named ? own.ranges.below(0, {"", of_no_rank}) : 0;
  for (auto group = first; group != end; ++group)
    own.in_ranges[{no_rank, ranges.number(group->first.second, below)}].merge(
        group_within_rank(group->second));
  for (const auto& [key, kernel] : all.kernels) {
    if (key.rank != rank) continue;
    own.kernels[key_within_rank(key)] = kernel;
    own.watched += kernel.launches;
    if (const auto gpu = all.gpus.find(key.gpu); gpu != all.gpus.end()) own.gpus.insert(*gpu);
  }
}

/// One rank's results of a run; with `rest`, also those of processes without a rank.
Tally tally_of_rank(const Tally& all, int rank, bool rest) {
  Tally own = facts_of_run(all);
  add_rank(all, rank, own);
  if (rest) add_rank(all, no_rank, own);
  own.launches = own.watched;
  return own;
}

}  // namespace

std::map<int, Runs> runs_by_rank(const Runs& runs) {
  std::map<int, Runs> ranks;
  for (const auto& [key, kernel] : runs.timed.kernels)
    if (key.rank >= 0) ranks[key.rank];
  for (auto& [rank, own] : ranks) {
    const bool first = rank == ranks.begin()->first;
    own.timed = tally_of_rank(runs.timed, rank, first);
    if (runs.hardware) own.hardware = tally_of_rank(*runs.hardware, rank, first);
    if (runs.instructions) own.instructions = tally_of_rank(*runs.instructions, rank, first);
  }
  return ranks;
}

std::vector<std::vector<int>> turns_of_ranks(const Tally& timed) {
  std::map<int, std::set<std::string>> gpus_of;
  for (const auto& [key, kernel] : timed.kernels) gpus_of[key.rank].insert(key.gpu);
  std::vector<std::vector<int>> turns;
  std::vector<std::set<std::string>> taken;  // GPUs in use in each turn
  for (const auto& [rank, gpus] : gpus_of) {
    std::size_t turn = 0;
    const auto is_taken = [&](const std::string& gpu) { return taken[turn].contains(gpu); };
    while (turn < turns.size() && std::ranges::any_of(gpus, is_taken)) ++turn;
    turns.resize(std::max(turns.size(), turn + 1));
    taken.resize(turns.size());
    turns[turn].push_back(rank);
    taken[turn].insert(gpus.begin(), gpus.end());
  }
  return turns.size() > 1 ? turns : std::vector<std::vector<int>>{{}};
}

}  // namespace roofline::inject
