#include "roofline/record/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace roofline {
namespace {

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
    if (field.writes() && !number) continue;
    field(may_lack(name), number, events, "missing: not counted");
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

bool are_same(std::string_view count, std::uint64_t sum, std::uint64_t told) {
  const double share = count == "thread_instructions_pred_on" ? 1e-3 : 1e-4;
  return std::abs(static_cast<double>(told) - static_cast<double>(sum)) <=
         share * static_cast<double>(told);
}

const std::string* LinesRecord::source(const SourcePlace& place) const {
  const auto file = sources.find(place.file);
  if (file == sources.end() || place.line < 1 ||
      static_cast<std::size_t>(place.line) > file->second.size())
    return nullptr;
  return &file->second[static_cast<std::size_t>(place.line) - 1];
}

bool LinesRecord::sums_agree() const {
  return std::ranges::all_of(totals, [this](const auto& total) {
    const auto sum = sums.find(total.first);
    return sum == sums.end() || are_same(total.first, sum->second, total.second);
  });
}

}  // namespace roofline
