#include "harness/measure/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::JsonPlace;
using roofline::LineEvidence;
using roofline::LineMode;

constexpr int first_signal = 128;  // an exit status above it: ended by a signal
constexpr std::size_t most_sources = 100;
constexpr std::size_t most_lost = 100;

/// What a mode is called for people.
const char* name_of(LineMode mode) {
  return mode == LineMode::samples ? "samples" : "counts of instructions";
}

/// What a process for counts found, before it is scaled.
struct Counts {
  std::int64_t terms = 1, part_terms = 1;
  std::string part;
  std::vector<std::string> counted;
  std::vector<LineEvidence> lines;
};

/// Everything that the processes wrote.
struct Found {
  LinesRecord record;  // without counts
  bool samples = false;
  std::optional<Counts> counts;
  std::optional<std::int64_t> asked_terms;  // of the part to count, as the first process decided
  std::int64_t totals_terms = 0;            // of the part that the totals are of
};

void lose(Found& found, std::string text) { found.record.lost.push_back(std::move(text)); }

void add_words(Found& found, const JsonPlace& place) {
  for (std::string& word : read_words(place)) lose(found, std::move(word));
}

void read_samples(const JsonPlace& place, Found& found) {
  LinesRecord& record = found.record;
  record.terms = place["terms"].integer(1, roofline::bounds::large);
  record.period = place["period"].integer(1, 1LL << 31);
  record.dropped = static_cast<std::uint64_t>(
      place["dropped"].integer(0, static_cast<long long>(roofline::most_events)));
  record.elsewhere = static_cast<std::uint64_t>(
      place["elsewhere"].integer(0, static_cast<long long>(roofline::most_events)));
  record.sampled_seconds = place["seconds"]["sampled"].real(roofline::bounds::seconds);
  record.plain_seconds = place["seconds"]["plain"].real(roofline::bounds::seconds);
  record.lines = read_lines(place["lines"]);
  for (const LineEvidence& line : record.lines)
    if (!line.counts.empty()) place["lines"].refuse("counts among the samples");
  add_words(found, place["lost"]);
  found.samples = true;
}

void read_totals(const JsonPlace& place, Found& found) {
  found.record.totals = read_events(place["totals"], roofline::bounds::large);
  found.totals_terms = place["part_terms"].integer(1, roofline::bounds::large);
  found.asked_terms = place["asked_terms"].integer(0, roofline::bounds::large);
  add_words(found, place["lost"]);
}

void read_counts(const JsonPlace& place, Found& found) {
  Counts counts;
  counts.terms = place["terms"].integer(1, roofline::bounds::large);
  if (found.record.terms > 0 && found.record.terms != counts.terms)
    place["terms"].refuse("another input than the one that was sampled");
  found.record.terms = counts.terms;
  counts.part_terms = place["part_terms"].integer(1, counts.terms);
  counts.part = place["part"].text();
  counts.counted = read_counted_names(place["counted"]);
  if (counts.counted.empty()) place["counted"].refuse("nothing was counted");
  counts.lines = read_lines(place["lines"]);
  for (const LineEvidence& line : counts.lines) {
    if (!line.stalls.empty()) place["lines"].refuse("samples among the counts");
    for (const auto& [name, number] : line.counts)
      if (std::find(counts.counted.begin(), counts.counted.end(), name) == counts.counted.end())
        place["lines"].refuse("a number of what was not counted");
  }
  add_words(found, place["lost"]);
  found.counts = std::move(counts);
}

/// One line that a process wrote.
void read_line_of(LineMode mode, const std::string& text, Found& found) {
  const std::string source = fmt::format("what the process for {} wrote", name_of(mode));
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const JsonPlace place(json, "", source);
  if (!place.has("what")) place.refuse("no document: " + text.substr(0, 200));
  const std::string what = place["what"].name();
  if (what == "failure")
    return lose(found, fmt::format("{}: {}", name_of(mode), place["reason"].text()));
  if (mode == LineMode::samples && what == "samples" && !found.samples)
    return read_samples(place, found);
  if (mode == LineMode::samples && what == "totals" && found.samples)
    return read_totals(place, found);
  if (mode == LineMode::instructions && what == "instructions" && !found.counts)
    return read_counts(place, found);
  place["what"].refuse(fmt::format("'{}' was not asked for", what));
}

/// Why a process ended before it was done; empty where it was done.
std::string early_end(const roofline::Finished& finished, double limit_s) {
  if (finished.silenced) return fmt::format("did not end in {:g} s (--time-limit)", limit_s);
  if (finished.status > first_signal)
    return fmt::format("crashed (signal {})", finished.status - first_signal);
  if (finished.status != 0) return fmt::format("ended with exit status {}", finished.status);
  return "";
}

/// The last words of a process, for people.
std::string last_words(const std::string& errors) {
  constexpr std::size_t most = 300;
  std::string text =
      roofline::visible(errors.size() > most ? errors.substr(errors.size() - most) : errors);
  while (text.ends_with("\\n")) text.resize(text.size() - 2);
  return text.empty() ? "" : "; it said: " + text;
}

void run_mode(LineMode mode, const LinesElsewhere& run, double limit_s, Found& found) {
  const std::size_t lost_before = found.record.lost.size();
  const roofline::Finished finished = run(mode, found.asked_terms);
  bool understood = true;
  std::istringstream lines(finished.output);
  for (std::string line; understood && std::getline(lines, line);) {
    try {
      read_line_of(mode, line, found);
    } catch (const roofline::InputError& error) {
      understood = false;
      lose(found, fmt::format("{}: {}", name_of(mode), error.what()));
    }
  }
  const bool there = mode == LineMode::samples ? found.samples : found.counts.has_value();
  const bool told = found.record.lost.size() > lost_before;
  const std::string end = early_end(finished, limit_s);
  if (there && end.empty()) return;
  if (told && finished.status <= first_signal && !finished.silenced) return;
  lose(found, fmt::format("{}: the process for them {}{}",
                          there ? "the totals of the hardware's counters" : name_of(mode),
                          end.empty() ? "wrote nothing" : end, last_words(finished.errors)));
}

/// Every instruction is counted once: sums over lines are the hardware's own counts.
void compare_totals(Found& found) {
  LinesRecord& record = found.record;
  const Counts& counts = *found.counts;
  if (found.totals_terms != counts.part_terms) record.totals.clear();
  for (const auto& [name, total] : record.totals) {
    const auto sum = record.sums.find(name);
    if (sum == record.sums.end() || are_same(name, sum->second, total)) continue;
    lose(found, fmt::format("{}: the lines have {} together, the hardware's counter told {}", name,
                            sum->second, total));
  }
}

void scale(std::vector<LineEvidence>& lines, std::int64_t terms, std::int64_t part_terms) {
  for (LineEvidence& line : lines)
    for (auto& [name, number] : line.counts) number = scaled_count(number, terms, part_terms);
}

void add_counts(Found& found) {
  LinesRecord& record = found.record;
  Counts& counts = *found.counts;
  record.counted = counts.counted;
  record.part = counts.part_terms == counts.terms ? "" : counts.part;
  record.scale = static_cast<double>(counts.terms) / static_cast<double>(counts.part_terms);
  record.sums = roofline::total_counts(counts.lines);
  compare_totals(found);
  scale(counts.lines, counts.terms, counts.part_terms);
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
