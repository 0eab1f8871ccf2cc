#include "roofline/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

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

using PlaceKey = std::pair<std::string, int>;

PlaceKey place_key(const SourcePlace& place) { return {place.file, place.line}; }

/// The sort key of lines: samples, or instructions if there are no samples.
template <class Line>
std::pair<std::uint64_t, std::uint64_t> heat(const Line& line) {
  return {line.samples(), events_of(line.counts, "warp_instructions")};
}

template <class Line>
void sort_hottest_first(std::vector<Line>& lines) {
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) { return heat(a) > heat(b); });
}

/// Groups lines by place, and code without a line by its function.
template <class PlaceOf>
std::vector<LineGroup> grouped(const std::vector<LineEvidence>& lines, const PlaceOf& place_of) {
  std::map<std::pair<PlaceKey, std::string>, LineGroup> groups;
  for (const LineEvidence& line : lines) {
    const SourcePlace& place = place_of(line);
    LineGroup& group = groups[{place_key(place), place.file.empty() ? line.function : ""}];
    group.place = place;
    if (group.function.empty() || line.place == place) group.function = line.function;
    add_events(group.stalls, line.stalls);
    add_events(group.counts, line.counts);
    group.parts.push_back(line);
  }
  std::vector<LineGroup> sorted;
  for (auto& [key, group] : groups) {
    sort_hottest_first(group.parts);
    sorted.push_back(std::move(group));
  }
  sort_hottest_first(sorted);
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

std::uint64_t LineEvidence::samples() const { return sum_of(stalls); }
std::uint64_t LineGroup::samples() const { return sum_of(stalls); }

const LineTable* LineTables::find(std::uint64_t crc, std::vector<std::string>& lost) {
  const auto cubin = place_of(crc);
  if (cubin == cubins_.end()) {
    tell(
        "instructions of a module whose machine code was never seen: it was loaded before anybody "
        "listened; set CUDA_MODULE_LOADING=LAZY",
        lost);
    return nullptr;
  }
  const auto [known, fresh] = tables_.try_emplace(cubin->first);
  if (!fresh) return known->second ? &*known->second : nullptr;
  try {
    known->second.emplace(cubin->second, fmt::format("the module {:x}", cubin->first));
    if (!known->second->problem().empty()) tell(known->second->problem(), lost);
    return &*known->second;
  } catch (const InputError& error) {
    tell(error.what(), lost);
    return nullptr;
  }
}

Cubins::const_iterator LineTables::place_of(std::uint64_t crc) const {
  const auto exact = cubins_.find(crc);
  if (exact != cubins_.end() || crc >> 32 != 0) return exact;
  auto found = cubins_.end();
  for (auto one = cubins_.begin(); one != cubins_.end(); ++one) {
    if ((one->first & 0xffffffffU) != crc) continue;
    if (found != cubins_.end()) return cubins_.end();
    found = one;
  }
  return found;
}

void LineTables::tell(const std::string& text, std::vector<std::string>& lost) {
  if (told_.insert(text).second) lost.push_back(text);
}

LineSums::Key LineSums::key_of(const LineEvidence& line) {
  return {place_key(line.place), line.called_from ? place_key(*line.called_from) : Place{"", -1},
          line.function};
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

std::vector<LineEvidence> lines_of(const std::vector<InstructionEvidence>& instructions,
                                   const Cubins& cubins,
                                   const std::function<bool(const std::string& file)>& own,
                                   std::vector<std::string>& lost) {
  LineTables tables(cubins);
  return lines_of(instructions, tables, own, lost);
}

std::vector<LineEvidence> merged(const std::vector<LineEvidence>& one,
                                 const std::vector<LineEvidence>& two) {
  LineSums sums;
  for (const LineEvidence& line : one) sums.add(line);
  for (const LineEvidence& line : two) sums.add(line);
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
