#include "roofline/record/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

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

constexpr Whole events{0, static_cast<long long>(most_events)};
constexpr std::size_t most_reasons = 100;

std::uint64_t samples_of(const LinesRecord& record) { return sum_of(total_stalls(record.lines)); }

void refuse_wrong_counts(const Fields& field, const LinesRecord& record) {
  const std::set<std::string> counted(record.counted.begin(), record.counted.end());
  if (counted.size() < record.counted.size()) field.refuse("counted", "a name stands twice");
  for (const std::string& name : counted)
    if (std::ranges::find(line_counts, name) == std::end(line_counts))
      field.refuse("counted", fmt::format("'{}' is nothing that is counted of a line", name));
  for (const LineEvidence& line : record.lines)
    for (const auto& [name, number] : line.counts)
      if (!counted.contains(name))
        field.refuse("lines", fmt::format("a number of {}, which 'counted' does not name", name));
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

void fields(Fields& field, SourcePlace& place) {
  field("file", place.file, Text{4'096},
        "path in the repository, or as the compiler wrote it; empty: code without lines");
  field("line", place.line, Whole{0, 1'000'000'000}, "from 1; 0 without a file");
  if (field.reads() && place.file.empty() != (place.line == 0))
    field.refuse("line", "a line without a file, or a file without a line");
}

void events_field(Fields& field, const char* key, Events& of, const char* meaning) {
  field(key, of, Named<Whole>{any_size, most_reasons, true}, meaning);
}

void fields(Fields& field, LineEvidence& line) {
  fields(field, line.place);
  field("called_from", line.called_from, NoRule{},
        "line of the variant's file where it was inlined; missing: it lies there itself, or "
        "nothing there called it");
  field("function", line.function, Text{2'000},
        "that the line was written in; of a helper of the compiler, what it computes: division");
  field("stalls", line.stalls, Named<Whole>{{0, 1'000'000'000'000}, most_reasons, true},
        "samples by the reason why the warp did not go on");
  for (const char* name : line_counts) {
    std::optional<std::uint64_t> number;
    if (const auto found = line.counts.find(name); found != line.counts.end())
      number = found->second;
    field(if_any(name), number, events, "missing: not counted");
    if (field.reads() && number) line.counts[name] = *number;
  }
}

LinesRecord record_of(RecordedCode code, std::vector<LineEvidence> lines) {
  LinesRecord record;
  record.period = code.period > 0 ? 1LL << code.period : 0;
  record.dropped = code.dropped;
  record.elsewhere = code.elsewhere;
  record.counted = std::move(code.counted);
  record.lost = std::move(code.lost);
  record.lines = std::move(lines);
  return record;
}

void fields(Fields& field, LinesRecord& record) {
  field("terms", record.terms, any_size, "of the input that was run; 0: not known");
  field("period", record.period, Whole{0, 1LL << 31},
        "cycles between two samples of a multiprocessor; 0: none were taken");
  field("dropped", record.dropped, events, "samples that the hardware could not keep");
  field("elsewhere", record.elsewhere, events, "samples in kernels that are not the program's");
  field.group(
      "seconds",
      [&] {
        field("sampled", record.sampled_seconds, bounds::seconds);
        field("plain", record.plain_seconds, bounds::seconds);
      },
      "medians of runs that were sampled and of runs that were not; 0: not known");
  field("part", record.part, any_text,
        "of the input whose instructions were counted; empty: all of it");
  field("scale", record.scale, Bounds{1, 1e12},
        "the whole over the part: the numbers of lines are multiplied by it");
  events_field(field, "sums", record.sums, "the numbers of all lines together, of the part");
  events_field(field, "totals", record.totals, "what hardware counters told of the same part");
  field("lost", record.lost, List<Text>{any_text, 100}, "what is missing or doubtful, for people");
  field("counted", record.counted, List<Text>{a_name, std::size(line_counts)},
        "which numbers of lines were counted");
  field("lines", record.lines, List<NoRule>{{}, most_lines},
        "each instruction belongs to one pair of innermost line and line of the variant's file "
        "that called it");
  if (field.reads()) refuse_wrong_counts(field, record);
  field("sources", record.sources, lines_of_files, "lines of the files named, as they were");
  if (field.reads() && !record.has_samples() && samples_of(record) > 0)
    field.refuse("lines", "samples, but a period of 0");
}

nlohmann::ordered_json to_json(const LinesRecord& record) {
  nlohmann::ordered_json json = facts_json(record);
  json["samples"] = samples_of(record);
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    auto& line = json["lines"][i];
    line["samples"] = record.lines[i].samples();
    if (!record.lines[i].called_from) line["called_from"] = nullptr;
    for (const char* name : line_counts) line[name] = nullptr;
    for (const std::string& name : record.counted)
      line[name] = events_of(record.lines[i].counts, name);
  }
  return json;
}

const std::string* LinesRecord::source(const SourcePlace& place) const {
  const auto file = sources.find(place.file);
  if (file == sources.end() || place.line < 1 ||
      static_cast<std::size_t>(place.line) > file->second.size())
    return nullptr;
  return &file->second[static_cast<std::size_t>(place.line) - 1];
}

}  // namespace roofline
