#include "roofline/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/text.h"

namespace roofline {
namespace {

/// The pair of lines of an instruction, without its events.
LineEvidence pair_of(const InstructionEvidence& one, const LineTable* table,
                     const std::function<bool(const std::string&)>& own) {
  LineEvidence line;
  line.function = demangled(one.function);
  if (table == nullptr) return line;
  const auto [function, places] = table->origin(one.function, one.offset);
  line.function = demangled(function);
  if (places.empty()) return line;
  line.place = places.front();
  const auto caller =
      std::ranges::find_if(places, [&own](const SourcePlace& place) { return own(place.file); });
  if (caller != places.begin() && caller != places.end()) line.called_from = *caller;
  return line;
}

/// Samples, or instructions if there are no samples.
std::pair<std::uint64_t, std::uint64_t> heat(const LineEvidence& line) {
  return {line.samples(), events_of(line.counts, "warp_instructions")};
}

/// Groups lines by place, and code without a line by its function.
template <class PlaceOf>
std::vector<LineGroup> grouped(const std::vector<LineEvidence>& lines, const PlaceOf& place_of) {
  std::map<std::pair<SourcePlace, std::string>, LineGroup> groups;
  for (const LineEvidence& line : lines) {
    const SourcePlace& place = place_of(line);
    LineGroup& group = groups[{place, place.file.empty() ? line.function : ""}];
    group.place = place;
    if (group.function.empty() || line.place == place) group.function = line.function;
    add_events(group.stalls, line.stalls);
    add_events(group.counts, line.counts);
    group.parts.push_back(line);
  }
  std::vector<LineGroup> sorted;
  for (auto& [key, group] : groups) {
    std::ranges::stable_sort(group.parts, std::greater(), heat);
    sorted.push_back(std::move(group));
  }
  std::ranges::stable_sort(sorted, std::greater(), heat);
  return sorted;
}

}  // namespace

void add_events(Events& sums, const Events& events) {
  for (const auto& [name, number] : events) sums[name] += number;
}

std::uint64_t sum_of(const Events& events) {
  std::uint64_t sum = 0;
  for (const auto& [name, number] : events) sum += number;
  return sum;
}

std::uint64_t events_of(const Events& events, std::string_view name) {
  const auto found = events.find(name);
  return found == events.end() ? 0 : found->second;
}

const LineTable* LineTables::find(std::uint64_t crc, std::vector<std::string>& lost) {
  const auto tell = [&](const std::string& text) {
    if (told_.insert(text).second) lost.push_back(text);
  };
  auto cubin = cubins_.find(crc);
  if (cubin == cubins_.end() && crc >> 32 == 0) {
    const auto same = [crc](const auto& one) { return (one.first & 0xffffffffU) == crc; };
    cubin = std::ranges::find_if(cubins_, same);
    if (std::ranges::count_if(cubins_, same) > 1) cubin = cubins_.end();
  }
  if (cubin == cubins_.end()) {
    tell(
        "instructions of a module whose machine code was never seen: it was loaded before anybody "
        "listened; set CUDA_MODULE_LOADING=LAZY");
    return nullptr;
  }
  const auto [known, fresh] = tables_.try_emplace(cubin->first);
  try {
    if (fresh) known->second.emplace(cubin->second, fmt::format("the module {:x}", cubin->first));
    if (fresh && !known->second->problem().empty()) tell(known->second->problem());
  } catch (const InputError& error) {
    tell(error.what());
  }
  return known->second ? &*known->second : nullptr;
}

void LineSums::add(const LineEvidence& line) {
  const auto [known, fresh] = lines_.try_emplace(key_of(line), line);
  if (fresh) return;
  add_events(known->second.stalls, line.stalls);
  add_events(known->second.counts, line.counts);
}

std::vector<LineEvidence> LineSums::lines() const {
  std::vector<LineEvidence> all;
  for (const auto& [key, line] : lines_) all.push_back(line);
  return all;
}

std::vector<LineEvidence> lines_of(const std::vector<InstructionEvidence>& instructions,
                                   LineTables& tables,
                                   const std::function<bool(const std::string& file)>& own,
                                   std::vector<std::string>& lost) {
  LineSums sums;
  for (const InstructionEvidence& one : instructions) {
    LineEvidence line = pair_of(one, tables.find(one.cubin, lost), own);
    line.stalls = one.stalls;
    line.counts = one.counts;
    sums.add(line);
  }
  return sums.lines();
}

std::vector<LineEvidence> merged(const std::vector<LineEvidence>& one,
                                 const std::vector<LineEvidence>& two) {
  LineSums sums;
  for (const auto* lines : {&one, &two})
    for (const LineEvidence& line : *lines) sums.add(line);
  return sums.lines();
}

std::vector<LineGroup> by_variant_line(const std::vector<LineEvidence>& lines) {
  return grouped(lines, [](const LineEvidence& line) -> const SourcePlace& {
    return line.called_from ? *line.called_from : line.place;
  });
}

std::vector<LineGroup> by_innermost_line(const std::vector<LineEvidence>& lines) {
  return grouped(lines, [](const LineEvidence& line) -> const SourcePlace& { return line.place; });
}

Events total_stalls(const std::vector<LineEvidence>& lines) {
  Events sums;
  for (const LineEvidence& line : lines) add_events(sums, line.stalls);
  return sums;
}

Events total_counts(const std::vector<LineEvidence>& lines) {
  Events sums;
  for (const LineEvidence& line : lines) add_events(sums, line.counts);
  return sums;
}

}  // namespace roofline
