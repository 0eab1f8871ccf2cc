#include "harness/measure/lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include "harness/measure/child.h"
#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"

namespace gpp {
namespace {

using roofline::LineEvidence;
using roofline::LineMode;

constexpr std::size_t most_sources = 100;
constexpr std::size_t most_lost = 100;

/// The name of a mode for people.
const char* name_of(LineMode mode) {
  return mode == LineMode::samples ? "samples" : "counts of instructions";
}

/// Everything that the processes wrote.
struct Found {
  LinesRecord record;  // without counts
  bool samples = false;
  std::optional<CountsMessage> counts;      // before they are scaled
  std::optional<std::int64_t> asked_terms;  // of the part to count, as the first process decided
  std::int64_t totals_terms = 0;            // of the part that the totals are of
};

void lose(Found& found, std::string text) { found.record.lost.push_back(std::move(text)); }

void lose(Found& found, const std::vector<std::string>& words) {
  found.record.lost.insert(found.record.lost.end(), words.begin(), words.end());
}

void take_samples(const roofline::Message& message, Found& found) {
  auto record = message.read<LinesRecord>();
  if (record.period == 0 || record.terms == 0 || record.has_counts())
    throw roofline::InputError(message.source +
                               ": samples with counts, or without their period or pieces of work");
  record.lost.insert(record.lost.begin(), found.record.lost.begin(), found.record.lost.end());
  found.record = std::move(record);
  found.samples = true;
}

void take_totals(const roofline::Message& message, Found& found) {
  auto totals = message.read<TotalsMessage>();
  found.record.totals = std::move(totals.totals);
  found.totals_terms = totals.part_terms;
  found.asked_terms = totals.asked_terms;
  lose(found, totals.lost);
}

void take_counts(const roofline::Message& message, Found& found) {
  auto counts = message.read<CountsMessage>();
  if (found.record.terms > 0 && found.record.terms != counts.terms)
    throw roofline::InputError(
        fmt::format("{}: terms: another input than the one that was sampled", message.source));
  found.record.terms = counts.terms;
  lose(found, counts.lost);
  found.counts = std::move(counts);
}

void take(LineMode mode, const std::string& line, Found& found) {
  const roofline::Message message =
      roofline::message_in(line, fmt::format("what the process for {} wrote", name_of(mode)));
  const bool samples = mode == LineMode::samples;
  if (message.what == failure_message)
    lose(found, fmt::format("{}: {}", name_of(mode), message.read<roofline::Failure>().reason));
  else if (samples && message.what == samples_message && !found.samples)
    take_samples(message, found);
  else if (samples && message.what == TotalsMessage::name && found.samples)
    take_totals(message, found);
  else if (!samples && message.what == CountsMessage::name && !found.counts)
    take_counts(message, found);
  else
    message.refuse();
}

void run_mode(LineMode mode, const LinesElsewhere& run, double limit_s, Found& found) {
  const std::size_t lost_before = found.record.lost.size();
  const roofline::Finished finished = run(mode, found.asked_terms);
  bool understood = true;
  std::istringstream lines(finished.output);
  for (std::string line; understood && std::getline(lines, line);) {
    try {
      take(mode, line, found);
    } catch (const roofline::InputError& error) {
      understood = false;
      lose(found, fmt::format("{}: {}", name_of(mode), error.what()));
    }
  }
  const bool there = mode == LineMode::samples ? found.samples : found.counts.has_value();
  const bool told = found.record.lost.size() > lost_before;
  const std::string end =
      bad_end(finished, fmt::format("did not end in {:g} s (--time-limit)", limit_s));
  if (there && end.empty()) return;
  if (told && signal_of(finished) == 0 && !finished.silenced) return;
  lose(found, fmt::format("{}: the process for them {}{}",
                          there ? "the totals of the hardware's counters" : name_of(mode),
                          end.empty() ? "wrote nothing" : end, last_words(finished)));
}

/// Every instruction is counted once: sums over lines are the hardware's own counts.
void compare_totals(Found& found) {
  LinesRecord& record = found.record;
  const CountsMessage& counts = *found.counts;
  if (found.totals_terms != counts.part_terms) record.totals.clear();
  for (const auto& [name, total] : record.totals) {
    const auto sum = record.sums.find(name);
    if (sum == record.sums.end() || roofline::are_same(name, sum->second, total)) continue;
    lose(found, fmt::format("{}: the lines have {} together, the hardware's counter told {}", name,
                            sum->second, total));
  }
}

void add_counts(Found& found) {
  LinesRecord& record = found.record;
  CountsMessage& counts = *found.counts;
  record.counted = counts.counted;
  record.part = counts.part_terms == counts.terms ? "" : counts.part;
  record.scale = static_cast<double>(counts.terms) / static_cast<double>(counts.part_terms);
  record.sums = roofline::total_counts(counts.lines);
  compare_totals(found);
  for (LineEvidence& line : counts.lines)
    for (auto& [name, number] : line.counts)
      number = scaled_count(number, counts.terms, counts.part_terms);
  record.lines = roofline::merged(record.lines, counts.lines);
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
  const std::int64_t common = std::gcd(terms, part_terms);
  const auto over = static_cast<std::uint64_t>(terms / common);
  const auto under = static_cast<std::uint64_t>(part_terms / common);
  constexpr std::uint64_t small = 4'000'000'000;  // products of two fit
  const auto rough = static_cast<long double>(count) * static_cast<long double>(over) /
                     static_cast<long double>(under);
  if (rough > static_cast<long double>(roofline::most_events)) return roofline::most_events;
  if (over > small || under > small) return static_cast<std::uint64_t>(std::llroundl(rough));
  return count / under * over + (count % under * over + under / 2) / under;
}

LinesRecord measure_lines(const LinesElsewhere& run, double limit_s) {
  Found found;
  run_mode(LineMode::samples, run, limit_s, found);
  run_mode(LineMode::instructions, run, limit_s, found);
  if (found.counts) add_counts(found);
  if (found.record.lines.size() > roofline::most_lines) {
    found.record.lines.resize(roofline::most_lines);
    lose(found, "lines beyond the first 10000");
  }
  if (found.record.lost.size() > most_lost) found.record.lost.resize(most_lost);
  add_sources(found.record);
  return std::move(found.record);
}

}  // namespace gpp
