#include "roofline/inject/tally.h"

#include <fmt/format.h>

#include <limits>

#include "roofline/base/error.h"
#include "roofline/base/saturating.h"
#include "roofline/base/visible.h"
#include "roofline/inject/limits.h"

namespace roofline::inject {
namespace {

/// The beginning of a text, made printable, even if a character is cut in two.
std::string beginning(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : visible(text.substr(0, bytes));
}

/// The tally of a kernel in a range. Kernels without room share one, outside of ranges.
KernelTally& tally_of(const KernelKey& key, std::int64_t range, RankTally& rank, Tally& tally) {
  if (const auto group = rank.in_ranges.find(range); group != rank.in_ranges.end())
    if (const auto known = group->second.find(key); known != group->second.end())
      return known->second;
  if (tally.kernels >= limits::kernels || tally.name_bytes + key.name.size() > limits::name_bytes)
    return rank.in_ranges[0][{other_kernels, {}}];
  ++tally.kernels;
  tally.name_bytes += key.name.size();
  return rank.in_ranges[range][key];
}

void add_gpu(const SeenGpu& gpu, Tally& tally) {
  if (tally.gpus.size() < limits::devices || tally.gpus.contains(gpu.key))
    tally.gpus.emplace(gpu.key, gpu);
  tally.passes = gpu.passes;
  tally.most_passes = gpu.most_passes;
}

void add_launches(const SeenLaunches& seen, const Connection& connection, Tally& tally) {
  for (const auto& [counter, value] : seen.tally.counters)
    if (!tally.asked.contains(counter))
      throw InputError(
          fmt::format("the program's process told of the counter '{:.{}}', which nobody asked for",
                      counter, limits::note / 2));
  std::vector<RangeName> path;
  for (const RangeName& range : seen.ranges)
    path.push_back(
        {beginning(range.domain, limits::range_name), beginning(range.name, limits::range_name)});
  const std::int64_t range = tally.ranges.number(path);
  if (tally.ranges.full())
    add_note(
        "There were more NVTX ranges than are kept: what was launched in others is with the "
        "ranges around them",
        tally);
  RankTally& rank = tally.ranks[connection.rank];
  const KernelKey key{beginning(seen.kernel, limits::name),
                      tally.gpus.contains(seen.gpu) ? seen.gpu : ""};
  KernelTally& kernel = tally_of(key, range, rank, tally);
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

GroupTally RankTally::kernels() const {
  GroupTally sums;
  for (const auto& [range, group] : in_ranges)
    for (const auto& [key, kernel] : group) sums[key].add(kernel, limits::forms);
  return sums;
}

void add_packet(const std::string& packet, Connection& connection, Tally& tally) {
  const Seen seen = read_text<Seen>(packet, "the program's process");
  if (seen.rank >= 0 && tally.by_rank) connection.rank = seen.rank;
  if (seen.gpu) add_gpu(*seen.gpu, tally);
  if (seen.launched) add_launches(*seen.launched, connection, tally);
  if (seen.lines) add_lines(*seen.lines, tally.lines);
  if (seen.launches > connection.launches) {
    tally.launches = saturating_sum(tally.launches, seen.launches - connection.launches);
    connection.launches = seen.launches;
  }
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
