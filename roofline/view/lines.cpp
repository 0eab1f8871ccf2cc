#include "roofline/view/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "roofline/base/text.h"

namespace roofline {
namespace {

constexpr double hot = 0.1, warm = 0.02;  // shares of all samples
constexpr double least_part = 0.01;       // minimum share of an inlined line to be shown
constexpr std::size_t reasons_shown = 3;
constexpr double least_reason = 0.005;  // minimum share of a line's samples; less would print 0%
constexpr std::size_t source_width = 60;

std::string sampled_how(const LinesRecord& record) {
  const std::uint64_t samples = sum_of(total_stalls(record.lines));
  std::string text = fmt::format("{} samples, one of a multiprocessor every {} cycles",
                                 with_commas(samples), record.period);
  if (record.dropped > 0) text += fmt::format("; {} more dropped", with_commas(record.dropped));
  if (record.elsewhere > 0)
    text +=
        fmt::format("; {} in kernels that are not the program's", with_commas(record.elsewhere));
  if (record.sampled_seconds > 0 && record.plain_seconds > 0) {
    const double longer = 100 * (record.sampled_seconds / record.plain_seconds - 1);
    text += longer < 0.05 ? "; sampling made a run no longer"
                          : fmt::format("; sampling made a run {:.1f}% longer", longer);
  }
  return text + ".";
}

std::string counted_how(const LinesRecord& record) {
  std::string text = record.part.empty()
                         ? "Instructions were counted on the whole input"
                         : fmt::format("Instructions were counted on {} and multiplied by {:.6g}",
                                       record.part, record.scale);
  if (!record.totals.empty() && record.sums_agree())
    text += fmt::format(
        "; the lines' sums are what the hardware's counters told ({} warp instructions)",
        with_commas(events_of(record.totals, "warp_instructions")));
  return text + ".";
}

constexpr std::pair<const char*, const char*> counts_shown[] = {
    {"warp_instructions", "warp instr."},
    {"thread_instructions", "thread instr."},
    {"sectors", "sectors"},
    {"ideal_sectors", "ideal"},
    {"shared_wavefronts", "shared"},
    {"ideal_shared_wavefronts", "ideal"}};

/// A row of a table: a line, or an inlined one.
struct LineRow {
  std::string line;
  const LineEvidence* events;
  std::string source;
};

/// Unmeasured events have no column.
Table lines_table(const LinesRecord& record, const std::vector<LineRow>& rows, std::size_t width,
                  bool with_counts) {
  const LineHeat heat(record);
  const auto share_of = [&heat](const LineRow& row) {
    return heat.share(row.events->stalls, row.events->counts);
  };
  std::vector<ColumnOf<LineRow>> columns = {
      {{"line", "line"}, [](const LineRow& row) { return TableCell{row.line}; }},
      {{"share", record.has_samples() ? "samples" : "share", "", "%", Align::right},
       [&](const LineRow& row) {
         return share_of(row) == 0 ? TableCell{} : share_cell(share_of(row));
       }}};
  if (record.has_samples())
    columns.push_back({{"stalls", "stalls"}, [](const LineRow& row) {
                         return TableCell{top_reasons(row.events->stalls, row.events->samples())};
                       }});
  for (const auto& [name, title] : counts_shown)
    if (with_counts && std::ranges::find(record.counted, name) != record.counted.end())
      columns.push_back({{name, title, "", "", Align::right}, [name = name](const LineRow& row) {
                           const std::uint64_t count = events_of(row.events->counts, name);
                           if (count == 0) return TableCell{};
                           return TableCell{with_commas(count), static_cast<double>(count)};
                         }});
  columns.push_back({{"source", "source"}, [width](const LineRow& row) {
                       const std::string text = replaced(row.source, {{'\t', "  "}});
                       return TableCell{visible(shortened(text, width))};
                     }});
  Table table = table_of(columns, rows, {"lines", "", {}, {}, {}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.rows[i].tone = share_of(rows[i]) < warm  ? ""
                         : share_of(rows[i]) < hot ? "warning"
                                                   : "bad";
  return table;
}

/// Describes the measurement, one sentence per line.
std::string how(const LinesRecord& record) {
  std::string text;
  for (const std::string& sentence : measured_how(record)) text += sentence + "\n";
  return text;
}

std::string losses(const LinesRecord& record) {
  std::string text;
  for (const std::string& lost : record.lost)
    text += fmt::format("  {}\n", wrapped(lost, text_width(), 4, 2));
  return text.empty() ? "" : "\nMissing or doubtful:\n" + text;
}

}  // namespace

Table hottest_table(const LinesRecord& record, std::size_t top, std::size_t width,
                    std::size_t* hidden) {
  const LineHeat heat(record);
  const std::vector<LineGroup> groups = by_variant_line(record.lines);
  std::size_t cooler = groups.size() - std::min(groups.size(), top);
  std::vector<LineRow> rows;
  for (const LineGroup& group : std::span(groups).first(groups.size() - cooler)) {
    rows.push_back({place_text(group.place, group.function), &group,
                    trimmed_source(recorded_source(record, group.place))});
    for (const LineEvidence& part : group.parts)
      if (part.called_from && heat.share(part.stalls, part.counts) < least_part)
        ++cooler;
      else if (part.called_from)
        rows.push_back({"  " + place_text(part.place, part.function), &part,
                        "  " + trimmed_source(recorded_source(record, part.place))});
  }
  if (hidden != nullptr) *hidden = cooler;
  return lines_table(record, rows, width, true);
}

Table file_table(const LinesRecord& record, const std::string& file, std::size_t width,
                 bool whole) {
  const LineHeat heat(record);
  const bool calling = calling_files(record).contains(file);
  const auto text = record.sources.find(file);
  const bool has_text = !file.empty() && text != record.sources.end();
  const int lines = has_text ? static_cast<int>(text->second.size()) : 0;
  const std::vector<LineGroup> groups =
      calling ? by_variant_line(record.lines) : by_innermost_line(record.lines);
  std::vector<LineRow> rows;
  std::map<int, const LineGroup*> known;
  for (const LineGroup& group : groups) {
    if (group.place.file != file) continue;
    if (!whole && !calling && heat.share(group.stalls, group.counts) < least_part) continue;
    if (group.place.line >= 1 && group.place.line <= lines)
      known[group.place.line] = &group;
    else
      rows.push_back({place_text(group.place, group.function), &group, group.function});
  }
  static const LineEvidence nothing;
  for (int number = 1; number <= lines; ++number) {
    const auto near = known.lower_bound(number - 1);  // a line before and after one with evidence
    if (!whole && (near == known.end() || near->first > number + 1)) continue;
    const auto group = known.find(number);
    rows.push_back({fmt::format("{:4}", number), group == known.end() ? &nothing : group->second,
                    text->second[static_cast<std::size_t>(number) - 1]});
  }
  return lines_table(record, rows, width, whole);
}

std::string trimmed_source(const std::string& line, std::size_t most) {
  return visible(shortened(std::string(trimmed(line)), most));
}

std::string recorded_source(const LinesRecord& record, const SourcePlace& place) {
  const std::string* line = record.source(place);
  return line == nullptr ? "" : *line;
}

TableCell share_cell(double share) {
  return {share < 0.0005 ? "<0.1%" : percent_text(100 * share), 100 * share};
}

std::string place_text(const SourcePlace& place, const std::string& function) {
  if (place.file.empty())
    return fmt::format("({})", function.empty() ? "no line" : visible(function));
  return fmt::format("{}:{}", visible(place.file.substr(place.file.rfind('/') + 1)), place.line);
}

LineHeat::LineHeat(const LinesRecord& record)
    : samples_(sum_of(total_stalls(record.lines))),
      instructions_(events_of(total_counts(record.lines), "warp_instructions")) {}

double LineHeat::share(const Events& stalls, const Events& counts) const {
  const std::uint64_t all = is_of_samples() ? samples_ : instructions_;
  if (all == 0) return 0;
  const std::uint64_t own =
      is_of_samples() ? sum_of(stalls) : events_of(counts, "warp_instructions");
  return static_cast<double>(own) / static_cast<double>(all);
}

std::set<std::string> calling_files(const LinesRecord& record) {
  std::set<std::string> callers;
  for (const LineEvidence& line : record.lines)
    if (line.called_from) callers.insert(line.called_from->file);
  return callers;
}

std::vector<std::string> files_of(const LinesRecord& record) {
  std::map<std::string, std::uint64_t> samples;
  for (const LineEvidence& line : record.lines) {
    samples[line.place.file] += line.samples();
    if (line.called_from) samples[line.called_from->file] += line.samples();
  }
  std::vector<std::string> files;
  for (const auto& [file, number] : samples) files.push_back(file);
  const std::set<std::string> callers = calling_files(record);
  std::ranges::stable_sort(files, [&](const std::string& a, const std::string& b) {
    return std::pair(callers.contains(a), samples[a]) > std::pair(callers.contains(b), samples[b]);
  });
  return files;
}

std::vector<std::string> measured_how(const LinesRecord& record) {
  std::vector<std::string> sentences;
  if (record.has_samples()) sentences.push_back(sampled_how(record));
  if (record.has_counts()) sentences.push_back(counted_how(record));
  return sentences;
}

std::string top_reasons(const Events& stalls, std::uint64_t all) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  for (const auto& [name, number] : stalls)
    if (static_cast<double>(number) >= least_reason * static_cast<double>(all))
      sorted.emplace_back(number, name);
  std::sort(sorted.rbegin(), sorted.rend());
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < reasons_shown && all > 0; ++i)
    text += fmt::format("{}{} {:.0f}%", i == 0 ? "" : ", ", sorted[i].second,
                        100 * static_cast<double>(sorted[i].first) / static_cast<double>(all));
  return text;
}

std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours) {
  std::size_t hidden = 0;
  const Table table = hottest_table(record, top, source_width, &hidden);
  std::string text = title + "\n" + how(record) + "\n";
  text += table.rows.empty() ? "Nothing is known of any line.\n" : terminal_text(table, colours);
  if (hidden > 0)
    text += fmt::format("\n{} cooler lines are not shown: --all, --top N, --json.\n", hidden);
  return text + losses(record);
}

std::string whole_files(const LinesRecord& record, const std::string& title, bool colours) {
  std::string text = title + "\n" + how(record);
  for (const std::string& file : files_of(record))
    text += fmt::format("\n{}\n\n{}", file.empty() ? "code without a line" : visible(file),
                        terminal_text(file_table(record, file, source_width, true), colours));
  return text + losses(record);
}

}  // namespace roofline
