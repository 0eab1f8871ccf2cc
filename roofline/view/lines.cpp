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

/// Shares of the total, 0 to 1: of samples, or of warp instructions if there are no samples.
class LineHeat {
 public:
  explicit LineHeat(const LinesRecord& record)
      : of_samples_(sum_of(total_stalls(record.lines)) > 0) {
    for (const LineEvidence& line : record.lines) all_ += heat_of(line);
  }
  double share(const LineEvidence& line) const {
    return all_ == 0 ? 0 : static_cast<double>(heat_of(line)) / static_cast<double>(all_);
  }

 private:
  std::uint64_t heat_of(const LineEvidence& line) const {
    return of_samples_ ? line.samples() : events_of(line.counts, "warp_instructions");
  }

  bool of_samples_;
  std::uint64_t all_ = 0;
};

/// "v9.cu:42", or "(memset)" for code without a line.
std::string place_text(const LineEvidence& line) {
  const auto& [file, number] = line.place;
  if (file.empty())
    return fmt::format("({})", line.function.empty() ? "no line" : visible(line.function));
  return fmt::format("{}:{}", visible(file.substr(file.rfind('/') + 1)), number);
}

std::string sampled_how(const LinesRecord& record) {
  const std::uint64_t samples = sum_of(total_stalls(record.lines));
  std::string text = fmt::format("{} samples, one of a multiprocessor every {} cycles",
                                 with_commas(samples), record.period);
  if (record.dropped > 0) text += fmt::format("; {} more dropped", with_commas(record.dropped));
  if (record.elsewhere > 0)
    text +=
        fmt::format("; {} in kernels that are not the program's", with_commas(record.elsewhere));
  return text + ".";
}

std::string counted_how(const LinesRecord& record) {
  if (record.part.empty()) return "Instructions were counted on the whole input.";
  return fmt::format("Instructions were counted on {} and multiplied by {:.6g}.", record.part,
                     record.scale);
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
  const auto share_of = [&heat](const LineRow& row) { return heat.share(*row.events); };
  std::vector<ColumnOf<LineRow>> columns = {
      {{"line", "line"}, [](const LineRow& row) { return TableCell{row.line}; }},
      {{"share", record.has_samples() ? "samples" : "share", "", "%", Align::right},
       [&](const LineRow& row) -> TableCell {
         const double share = share_of(row);
         if (share == 0) return {};
         return {share < 0.0005 ? "<0.1%" : percent_text(100 * share), 100 * share};
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

}  // namespace

Table hottest_table(const LinesRecord& record, std::size_t top, std::size_t width,
                    std::size_t* hidden) {
  const LineHeat heat(record);
  const std::vector<LineGroup> groups = by_variant_line(record.lines);
  std::size_t cooler = groups.size() - std::min(groups.size(), top);
  std::vector<LineRow> rows;
  const auto add = [&](const std::string& before, const LineEvidence& line) {
    const std::string* source = record.source(line.place);
    rows.push_back({before + place_text(line), &line,
                    before + (source == nullptr ? "" : trimmed_source(*source))});
  };
  for (const LineGroup& group : std::span(groups).first(groups.size() - cooler)) {
    add("", group);
    for (const LineEvidence& part : group.parts)
      if (part.called_from && heat.share(part) < least_part)
        ++cooler;
      else if (part.called_from)
        add("  ", part);
  }
  if (hidden != nullptr) *hidden = cooler;
  return lines_table(record, rows, width, true);
}

Table file_table(const LinesRecord& record, const std::string& file, std::size_t width) {
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
    if (!calling && heat.share(group) < least_part) continue;
    if (group.place.line >= 1 && group.place.line <= lines)
      known[group.place.line] = &group;
    else
      rows.push_back({place_text(group), &group, group.function});
  }
  static const LineEvidence nothing;
  for (int number = 1; number <= lines; ++number) {
    const auto near = known.lower_bound(number - 1);  // a line before and after one with evidence
    if (near == known.end() || near->first > number + 1) continue;
    const auto group = known.find(number);
    rows.push_back({fmt::format("{:4}", number), group == known.end() ? &nothing : group->second,
                    text->second[static_cast<std::size_t>(number) - 1]});
  }
  return lines_table(record, rows, width, false);
}

std::string trimmed_source(const std::string& line, std::size_t most) {
  return visible(shortened(std::string(trimmed(line)), most));
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
  std::string text = title + "\n";
  for (const std::string& sentence : measured_how(record)) text += sentence + "\n";
  text += "\n";
  text += table.rows.empty() ? "Nothing is known of any line.\n" : terminal_text(table, colours);
  if (hidden > 0)
    text += fmt::format("\n{} cooler lines are not shown: --top N, --json.\n", hidden);
  if (!record.lost.empty()) text += "\nMissing or doubtful:\n";
  for (const std::string& lost : record.lost)
    text += fmt::format("  {}\n", wrapped(lost, text_width(), 4, 2));
  return text;
}

}  // namespace roofline
