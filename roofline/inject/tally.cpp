#include "roofline/inject/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace roofline::inject {
namespace {

/// The beginning of a text, made printable, even if a character is cut in two.
std::string beginning(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : visible(text.substr(0, bytes));
}

/// Takes room for one more of these and its name, unless there is none.
bool takes_room(std::size_t most, std::size_t bytes, std::size_t& number, Tally& tally) {
  if (number >= most || tally.name_bytes + bytes > limits::name_bytes) return false;
  ++number;
  tally.name_bytes += bytes;
  return true;
}

/// The number of the innermost of these nested ranges, or of the last one for which there is room.
std::size_t range_of(const std::vector<RangeName>& seen, RankTally& rank, Tally& tally) {
  std::vector<RangeName> path;
  std::size_t number = 0, bytes = 0;
  for (const RangeName& one : seen) {
    const RangeName& range = path.emplace_back(beginning(one.domain, limits::range_name),
                                               beginning(one.name, limits::range_name));
    bytes += range.domain.size() + range.name.size();
    if (const auto known = rank.numbers.find(path); known != rank.numbers.end()) {
      number = known->second;
    } else if (path.size() <= limits::range_depth &&
               takes_room(limits::ranges, bytes, tally.ranges, tally)) {
      rank.ranges.push_back({path, number});
      number = rank.numbers[path] = rank.ranges.size() - 1;
    } else {
      add_note(
          "There were more NVTX ranges than are kept: launches in others are with their parents",
          tally);
      return number;
    }
  }
  return number;
}

/// The tally of a kernel in a range. Kernels without room share one, outside of ranges.
KernelTally& tally_of(const KernelKey& key, std::size_t range, RankTally& rank, Tally& tally) {
  GroupTally& group = rank.ranges[range].kernels;
  if (const auto known = group.find(key); known != group.end()) return known->second;
  if (!takes_room(limits::kernels, key.name.size(), tally.kernels, tally))
    return rank.ranges[0].kernels[{other_kernels, {}}];
  return group[key];
}

void add_launches(const SeenLaunches& seen, int number, Tally& tally) {
  for (const auto& [counter, value] : seen.tally.counters)
    if (!tally.asked.contains(counter))
      throw InputError(
          fmt::format("the program's process told of the counter '{:.{}}', which nobody asked for",
                      counter, limits::note / 2));
  RankTally& rank = tally.ranks[number];
  const KernelKey key{beginning(seen.kernel, limits::name),
                      tally.gpus.contains(seen.gpu) ? seen.gpu : ""};
  KernelTally& kernel = tally_of(key, range_of(seen.ranges, rank, tally), rank, tally);
  const std::size_t forms = kernel.forms.size();
  kernel.add(seen.tally, limits::all_forms - std::min(tally.forms, limits::all_forms));
  tally.forms += kernel.forms.size() - forms;
  rank.watched = saturating_sum(rank.watched, seen.tally.launches);
  tally.watched = saturating_sum(tally.watched, seen.tally.launches);
}

void add_lost(const std::string& text, LinesTally& tally) {
  if (tally.lost.size() < limits::notes) tally.lost.insert(beginning(text, limits::note));
}

void add_lines(const LinesRecord& seen, LinesTally& tally) {
  tally.period = seen.period;
  tally.dropped += seen.dropped;
  tally.elsewhere += seen.elsewhere;
  tally.counted.insert(seen.counted.begin(), seen.counted.end());
  for (const LineEvidence& line : seen.lines)
    if (tally.lines.size() < most_lines || tally.lines.has(line))
      tally.lines.add(line);
    else
      add_lost(fmt::format("lines beyond the first {}", most_lines), tally);
  for (const std::string& lost : seen.lost) add_lost(lost, tally);
}

}  // namespace

const GroupTally* RankTally::in(const std::vector<RangeName>& path) const {
  const auto known = numbers.find(path);
  return known == numbers.end() ? nullptr : &ranges[known->second].kernels;
}

GroupTally RankTally::kernels() const {
  GroupTally sums;
  for (const RangeTally& range : ranges)
    for (const auto& [key, kernel] : range.kernels) sums[key].add(kernel, limits::forms);
  return sums;
}

void add_packet(const std::string& packet, int& rank, Tally& tally) {
  const Seen seen = read_text<Seen>(packet, "the program's process");
  if (seen.rank >= 0 && tally.by_rank) rank = seen.rank;
  if (seen.gpu && (tally.gpus.size() < limits::devices || tally.gpus.contains(seen.gpu->key)))
    tally.gpus.emplace(seen.gpu->key, *seen.gpu);
  if (seen.launched) add_launches(*seen.launched, rank, tally);
  if (seen.lines) add_lines(*seen.lines, tally.lines);
  tally.launches = saturating_sum(tally.launches, seen.launches);
  if (!seen.refused.empty()) tally.refused = beginning(seen.refused, limits::note);
  if (!seen.note.empty()) add_note(seen.note, tally);
}

void add_note(const std::string& note, Tally& tally) {
  const std::string kept = beginning(note, limits::note);
  if (tally.notes.size() < limits::notes || tally.notes.contains(kept))
    tally.notes.insert(kept);
  else
    tally.notes.insert("There were more notes than these");
}

}  // namespace roofline::inject
