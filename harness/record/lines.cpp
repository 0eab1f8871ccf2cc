#include "harness/record/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gpp {
namespace {

using roofline::JsonPlace;
using roofline::LineEvidence;
using roofline::SourcePlace;

constexpr std::uint64_t most_samples = 1'000'000'000'000;  // of one reason at one line
constexpr std::size_t most_reasons = 100;
constexpr std::size_t most_files = 100;
constexpr std::size_t most_lines_of_a_file = 20'000;
constexpr std::size_t most_words = 100;
constexpr std::size_t path_length = 4'096;
constexpr std::size_t function_length = 2'000;

bool is_counted(const std::vector<std::string>& counted, const std::string& name) {
  return std::find(counted.begin(), counted.end(), name) != counted.end();
}

Json place_json(const SourcePlace& place) { return {{"file", place.file}, {"line", place.line}}; }

SourcePlace read_place(const JsonPlace& place) {
  SourcePlace found{place["file"].text(path_length), place["line"].small_integer(0, 1'000'000'000)};
  if (found.file.empty() != (found.line == 0))
    place["line"].refuse("a line without a file, or a file without a line");
  return found;
}

std::uint64_t read_number(const JsonPlace& place, std::uint64_t most) {
  return static_cast<std::uint64_t>(place.integer(0, static_cast<long long>(most)));
}

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

std::map<std::string, std::vector<std::string>> read_sources(const JsonPlace& place) {
  std::map<std::string, std::vector<std::string>> sources;
  const std::vector<std::string> files = place.keys();
  if (files.size() > most_files) place.refuse("too many files");
  for (const std::string& file : files)
    for (const JsonPlace& line : place[file.c_str()].elements(most_lines_of_a_file))
      sources[file].push_back(line.text());
  return sources;
}

/// Numbers at a line that nobody counted would be read as zeros.
void refuse_contradictions_of_lines(const JsonPlace& place, const LinesRecord& record) {
  for (const LineEvidence& line : record.lines)
    for (const auto& [name, number] : line.counts)
      if (!is_counted(record.counted, name))
        place["lines"].refuse(fmt::format("a number of {}, which 'counted' does not name", name));
  if (!record.has_samples() && !roofline::total_stalls(record.lines).empty())
    place["lines"].refuse("samples, but a period of 0");
}

}  // namespace

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
  return std::all_of(totals.begin(), totals.end(), [this](const auto& total) {
    const auto sum = sums.find(total.first);
    return sum == sums.end() || are_same(total.first, sum->second, total.second);
  });
}

Json events_json(const roofline::Events& events) {
  Json json = Json::object();
  for (const auto& [name, number] : events) json[name] = number;
  return json;
}

roofline::Events read_events(const JsonPlace& place, std::uint64_t most) {
  roofline::Events events;
  const std::vector<std::string> names = place.keys();
  if (names.size() > most_reasons) place.refuse("too many names");
  for (const std::string& name : names) {
    const bool fit = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!fit) place.refuse(fmt::format("'{}' is no name: letters, digits and '_' alone", name));
    events[name] = read_number(place[name.c_str()], most);
  }
  return events;
}

std::vector<std::string> read_counted_names(const JsonPlace& place) {
  std::vector<std::string> counted;
  for (const JsonPlace& one : place.elements(std::size(roofline::line_counts))) {
    const std::string name = one.name();
    if (std::find(std::begin(roofline::line_counts), std::end(roofline::line_counts), name) ==
        std::end(roofline::line_counts))
      one.refuse(fmt::format("'{}' is nothing that is counted of a line", name));
    if (is_counted(counted, name)) one.refuse("named twice");
    counted.push_back(name);
  }
  return counted;
}

std::vector<std::string> read_words(const JsonPlace& place) {
  std::vector<std::string> words;
  for (const JsonPlace& one : place.elements(most_words)) words.push_back(one.text());
  return words;
}

Json line_json(const LineEvidence& line, const std::vector<std::string>& counted) {
  Json json = place_json(line.place);
  json["called_from"] = line.called_from ? place_json(*line.called_from) : Json(nullptr);
  json["function"] = line.function;
  json["samples"] = line.samples();
  json["stalls"] = events_json(line.stalls);
  for (const char* name : roofline::line_counts)
    json[name] =
        is_counted(counted, name) ? Json(roofline::events_of(line.counts, name)) : Json(nullptr);
  return json;
}

LineEvidence read_line(const JsonPlace& place) {
  LineEvidence line;
  line.place = read_place(place);
  if (!place["called_from"].is_null()) line.called_from = read_place(place["called_from"]);
  line.function = place["function"].text(function_length);
  line.stalls = read_events(place["stalls"], most_samples);
  if (read_number(place["samples"], most_samples * most_reasons) != line.samples())
    place["samples"].refuse("not the sum of the stall reasons beside it");
  for (const char* name : roofline::line_counts)
    if (!place[name].is_null()) line.counts[name] = read_number(place[name], roofline::most_events);
  return line;
}

Json lines_json(const std::vector<LineEvidence>& lines, const std::vector<std::string>& counted) {
  Json list = Json::array();
  for (const LineEvidence& line : lines) list.push_back(line_json(line, counted));
  return list;
}

std::vector<LineEvidence> read_lines(const JsonPlace& place) {
  std::vector<LineEvidence> lines;
  for (const JsonPlace& line : place.elements(roofline::most_lines))
    lines.push_back(read_line(line));
  return lines;
}

Json to_json(const LinesRecord& record) {
  Json sources = Json::object();
  for (const auto& [file, lines] : record.sources) sources[file] = texts_json(lines);
  std::uint64_t samples = 0;
  for (const LineEvidence& line : record.lines) samples += line.samples();
  return {{"terms", record.terms},
          {"period", record.period},
          {"samples", samples},
          {"dropped", record.dropped},
          {"elsewhere", record.elsewhere},
          {"seconds", {{"sampled", record.sampled_seconds}, {"plain", record.plain_seconds}}},
          {"counted", texts_json(record.counted)},
          {"part", record.part},
          {"scale", record.scale},
          {"sums", events_json(record.sums)},
          {"totals", events_json(record.totals)},
          {"lost", texts_json(record.lost)},
          {"lines", lines_json(record.lines, record.counted)},
          {"sources", sources}};
}

LinesRecord read_lines_record(const JsonPlace& place) {
  namespace bounds = roofline::bounds;
  LinesRecord record;
  record.terms = place["terms"].integer(0, bounds::large);
  record.period = place["period"].integer(0, 1LL << 31);
  record.dropped = read_number(place["dropped"], roofline::most_events);
  record.elsewhere = read_number(place["elsewhere"], roofline::most_events);
  record.sampled_seconds = place["seconds"]["sampled"].real(bounds::seconds);
  record.plain_seconds = place["seconds"]["plain"].real(bounds::seconds);
  record.counted = read_counted_names(place["counted"]);
  record.part = place["part"].text();
  record.scale = place["scale"].real({1, 1e12});
  record.sums = read_events(place["sums"], static_cast<std::uint64_t>(bounds::large));
  record.totals = read_events(place["totals"], static_cast<std::uint64_t>(bounds::large));
  record.lost = read_words(place["lost"]);
  record.lines = read_lines(place["lines"]);
  record.sources = read_sources(place["sources"]);
  refuse_contradictions_of_lines(place, record);
  std::uint64_t samples = 0;
  for (const LineEvidence& line : record.lines) samples += line.samples();
  if (read_number(place["samples"], static_cast<std::uint64_t>(bounds::large)) != samples)
    place["samples"].refuse(fmt::format("the lines have {} together", samples));
  return record;
}

}  // namespace gpp
