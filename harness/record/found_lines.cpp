#include "harness/record/found_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "harness/program/source_files.h"

namespace gpp {
namespace {

using roofline::LineEvidence;

constexpr std::size_t most_sources = 100;
constexpr std::size_t most_lost = 100;

/// Every instruction is counted once: sums over lines are the hardware's own counts.
void compare_totals(LinesRecord& record) {
  for (const auto& [name, total] : record.totals) {
    const auto sum = record.sums.find(name);
    if (sum == record.sums.end() || roofline::are_same(name, sum->second, total)) continue;
    record.lost.push_back(
        fmt::format("{}: the lines have {} together, the hardware's counter told {}", name,
                    sum->second, total));
  }
}

void add_counts(LinesRecord& record, FoundLines& found) {
  const std::int64_t terms = record.terms, part_terms = found.counts_terms;
  record.counted = std::move(found.counts.counted);
  record.part = part_terms == terms ? "" : found.part;
  record.scale = static_cast<double>(terms) / static_cast<double>(part_terms);
  record.sums = roofline::total_counts(found.counts.lines);
  if (found.totals_terms == part_terms) record.totals = std::move(found.totals.totals);
  compare_totals(record);
  for (LineEvidence& line : found.counts.lines)
    for (auto& [name, number] : line.counts) number = scaled_count(number, terms, part_terms);
  record.lines = roofline::merged(record.lines, found.counts.lines);
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

/// The sources as they are now, which may change.
void add_sources(LinesRecord& record) {
  const auto add = [&record](const roofline::SourcePlace& place) {
    if (place.file.empty() || place.file.front() == '/' || record.sources.contains(place.file) ||
        record.sources.size() >= most_sources)
      return;
    if (const auto text = source_text(place.file)) record.sources[place.file] = lines_in(*text);
  };
  for (const LineEvidence& line : record.lines) {
    add(line.place);
    if (line.called_from) add(*line.called_from);
  }
}

}  // namespace

std::uint64_t scaled_count(std::uint64_t count, std::int64_t terms, std::int64_t part_terms) {
  const auto scaled = static_cast<long double>(count) * static_cast<long double>(terms) /
                      static_cast<long double>(part_terms);
  return scaled < static_cast<long double>(roofline::most_events)
             ? static_cast<std::uint64_t>(std::llroundl(scaled))
             : roofline::most_events;
}

LinesRecord joined(FoundLines found) {
  LinesRecord record = std::move(found.samples);
  for (const LinesRecord* other : {&found.totals, &found.counts})
    record.lost.insert(record.lost.end(), other->lost.begin(), other->lost.end());
  if (found.counts.has_counts()) add_counts(record, found);
  if (record.lines.size() > roofline::most_lines) {
    record.lines.resize(roofline::most_lines);
    record.lost.emplace_back("lines beyond the first 10000");
  }
  if (record.lost.size() > most_lost) record.lost.resize(most_lost);
  add_sources(record);
  return record;
}

}  // namespace gpp
