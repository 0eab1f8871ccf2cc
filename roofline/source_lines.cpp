#include "roofline/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/text.h"

namespace roofline {
namespace {

/// The tables of a process's cubins, each read when first asked for.
class Tables {
 public:
  Tables(const Cubins& cubins, std::vector<std::string>& lost) : cubins_(cubins), lost_(lost) {}

  /// nullptr where there is no such cubin, or none that can be read.
  const LineTable* find(std::uint64_t crc) {
    const auto cubin = place_of(crc);
    if (cubin == cubins_.end()) {
      tell(fmt::format("{:x}", crc),
           "instructions of a module whose machine code was never seen: it was loaded before "
           "anybody listened; set CUDA_MODULE_LOADING=LAZY");
      return nullptr;
    }
    const auto [known, fresh] = tables_.try_emplace(cubin->first);
    if (fresh) known->second = read(cubin->first, cubin->second);
    return known->second ? &*known->second : nullptr;
  }

 private:
  /// SASS metrics tell the lower 32 bits alone. Two cubins that share them are not told apart.
  Cubins::const_iterator place_of(std::uint64_t crc) const {
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

  std::optional<LineTable> read(std::uint64_t crc, const std::string& bytes) {
    try {
      LineTable table = read_line_table(bytes, fmt::format("the module {:x}", crc));
      if (!table.problem().empty()) tell(table.problem(), table.problem());
      return table;
    } catch (const InputError& error) {
      tell(error.what(), error.what());
      return std::nullopt;
    }
  }

  void tell(const std::string& key, const std::string& text) {
    if (told_.insert(key).second) lost_.push_back(text);
  }

  const Cubins& cubins_;
  std::vector<std::string>& lost_;
  std::map<std::uint64_t, std::optional<LineTable>> tables_;
  std::set<std::string> told_;
};

/// The pair that the instruction belongs to, without its events.
LineEvidence pair_of(const InstructionEvidence& one, const LineTable* table,
                     const std::function<bool(const std::string&)>& own) {
  LineEvidence line;
  line.function = demangled(one.function);
  if (table == nullptr) return line;
  const std::vector<Frame> frames = table->frames(one.function, one.offset);
  if (frames.empty()) {
    if (std::string helper = table->helper(one.function, one.offset); !helper.empty())
      line.function = demangled(helper);
    return line;
  }
  line.place = frames.front().place;
  if (!frames.front().function.empty()) line.function = demangled(frames.front().function);
  const auto caller =
      std::ranges::find_if(frames, [&own](const Frame& frame) { return own(frame.place.file); });
  if (caller != frames.begin() && caller != frames.end()) line.called_from = caller->place;
  return line;
}

using PlaceKey = std::pair<std::string, int>;

PlaceKey key_of(const SourcePlace& place) { return {place.file, place.line}; }

/// The pairs in their order.
class Pairs {
 public:
  void add(const LineEvidence& line) {
    const PlaceKey caller = line.called_from ? key_of(*line.called_from) : PlaceKey{"", -1};
    const auto [pair, fresh] =
        pairs_.try_emplace({key_of(line.place), caller, line.function}, line);
    if (fresh) return;
    add_events(pair->second.stalls, line.stalls);
    add_events(pair->second.counts, line.counts);
  }

  std::vector<LineEvidence> take() && {
    std::vector<LineEvidence> lines;
    for (auto& [key, line] : pairs_) lines.push_back(std::move(line));
    return lines;
  }

 private:
  std::map<std::tuple<PlaceKey, PlaceKey, std::string>, LineEvidence> pairs_;
};

/// The key that orders lines: samples first; where there are none, instructions.
template <class Line>
std::pair<std::uint64_t, std::uint64_t> heat(const Line& line) {
  return {line.samples(), events_of(line.counts, "warp_instructions")};
}

template <class Line>
void sort_hottest_first(std::vector<Line>& lines) {
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) { return heat(a) > heat(b); });
}

/// Groups lines by a place; code without a line by its function.
template <class PlaceOf>
std::vector<LineGroup> grouped(const std::vector<LineEvidence>& lines, const PlaceOf& place_of) {
  std::map<std::pair<PlaceKey, std::string>, LineGroup> groups;
  for (const LineEvidence& line : lines) {
    const SourcePlace& place = place_of(line);
    LineGroup& group = groups[{key_of(place), place.file.empty() ? line.function : ""}];
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

std::vector<LineEvidence> lines_of(const std::vector<InstructionEvidence>& instructions,
                                   const Cubins& cubins,
                                   const std::function<bool(const std::string& file)>& own,
                                   std::vector<std::string>& lost) {
  Tables tables(cubins, lost);
  Pairs pairs;
  for (const InstructionEvidence& one : instructions) {
    LineEvidence line = pair_of(one, tables.find(one.cubin), own);
    line.stalls = one.stalls;
    line.counts = one.counts;
    pairs.add(line);
  }
  return std::move(pairs).take();
}

std::vector<LineEvidence> merged(const std::vector<LineEvidence>& one,
                                 const std::vector<LineEvidence>& two) {
  Pairs pairs;
  for (const LineEvidence& line : one) pairs.add(line);
  for (const LineEvidence& line : two) pairs.add(line);
  return std::move(pairs).take();
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
