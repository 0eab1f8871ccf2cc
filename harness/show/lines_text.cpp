#include "harness/show/lines_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "harness/show/lines_view.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Events;
using roofline::LineGroup;
using roofline::SourcePlace;

constexpr double hot = 0.1, warm = 0.02;  // shares
constexpr double least_part = 0.01;       // share of an inlined line that is shown
constexpr std::size_t reasons_shown = 3;
constexpr double least_reason = 0.005;  // share of a line's samples: less reads 0%
constexpr std::size_t source_width = 60;

/// Something with events: a group of lines, or one of its parts.
struct Row {
  const Events& stalls;
  const Events& counts;
};

/// "12.3%"; empty where there is nothing.
std::string share_text(double share) {
  if (share == 0) return "";
  return share < 0.0005 ? "<0.1%" : fmt::format("{:.1f}%", 100 * share);
}

bool was_counted(const LinesRecord& record, const char* name) {
  return std::find(record.counted.begin(), record.counted.end(), name) != record.counted.end();
}

/// Columns of a table, and the cells of a row. What was not measured has no column.
class Columns {
 public:
  explicit Columns(const LinesRecord& record) : record_(record), heat_(record) {}

  std::vector<roofline::Table::Column> titles(const char* first) const {
    using enum roofline::Table::Align;
    std::vector<roofline::Table::Column> columns = {
        {first, left}, {record_.has_samples() ? "samples" : "share", right}};
    if (record_.has_samples()) columns.push_back({"stalls", left});
    for (const auto& [name, title] : counts_shown)
      if (was_counted(record_, name)) columns.push_back({title, right});
    columns.push_back({"source", left});
    return columns;
  }

  std::vector<std::string> cells(std::string first, const Row& row, std::string source) const {
    std::vector<std::string> cells = {std::move(first), share_text(share(row))};
    if (record_.has_samples())
      cells.push_back(top_reasons(row.stalls, roofline::sum_of(row.stalls)));
    for (const auto& [name, title] : counts_shown) {
      if (!was_counted(record_, name)) continue;
      const std::uint64_t number = roofline::events_of(row.counts, name);
      cells.push_back(number == 0 ? "" : with_commas(number));
    }
    cells.push_back(std::move(source));
    return cells;
  }

  double share(const Row& row) const { return heat_.share(row.stalls, row.counts); }

 private:
  static constexpr std::pair<const char*, const char*> counts_shown[] = {
      {"warp_instructions", "warp instr."},
      {"thread_instructions", "thread instr."},
      {"sectors", "sectors"},
      {"ideal_sectors", "ideal"},
      {"shared_wavefronts", "shared"},
      {"ideal_shared_wavefronts", "ideal"}};

  const LinesRecord& record_;
  LineHeat heat_;
};

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string label(const SourcePlace& place, const std::string& function) {
  if (place.file.empty()) return "(" + (function.empty() ? "no line" : function) + ")";
  return fmt::format("{}:{}", file_name(place.file), place.line);
}

/// The line's text, without its indentation.
std::string source_of(const LinesRecord& record, const SourcePlace& place, bool indented = false) {
  const std::string* line = record.source(place);
  if (line == nullptr) return "";
  std::string text = indented ? *line : std::string(roofline::trimmed(*line));
  if (text.size() > source_width) text = text.substr(0, source_width - 3) + "...";
  return roofline::visible(text);
}

std::function<std::string(std::string)> paint_of(double share, bool colours) {
  return [share, colours](const std::string& line) {
    if (share < warm) return line;
    return roofline::coloured(line, share < hot ? roofline::Colour::yellow : roofline::Colour::red,
                              colours);
  };
}

/// A sentence a line.
std::string how(const LinesRecord& record) {
  std::string text;
  for (const std::string& sentence : measured_how(record)) text += sentence + "\n";
  return text;
}

std::string losses(const LinesRecord& record) {
  std::string text;
  for (const std::string& lost : record.lost)
    text += fmt::format("  {}\n", roofline::wrapped(lost, roofline::text_width(), 4, 2));
  return text.empty() ? "" : "\nMissing or doubtful:\n" + text;
}

/// The lines inlined at a group's, but for its own.
std::size_t add_parts(const LineGroup& group, const LinesRecord& record, const Columns& columns,
                      bool colours, roofline::Table& table) {
  std::size_t hidden = 0;
  for (const roofline::LineEvidence& part : group.parts) {
    if (!part.called_from) continue;
    const Row row{part.stalls, part.counts};
    const double share = columns.share(row);
    if (share < least_part) {
      ++hidden;
      continue;
    }
    table.add(columns.cells("  " + label(part.place, part.function), row,
                            "  " + source_of(record, part.place)),
              paint_of(share, colours));
  }
  return hidden;
}

const LineGroup* group_at(const std::vector<LineGroup>& groups, const SourcePlace& place) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&place](const LineGroup& group) {
    return group.place == place;
  });
  return found == groups.end() ? nullptr : &*found;
}

std::string whole_file(const LinesRecord& record, const std::string& file,
                       const std::vector<LineGroup>& groups, const Columns& columns, bool colours) {
  roofline::Table table(columns.titles("line"));
  const Events nothing;
  const std::vector<std::string>& lines = record.sources.at(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SourcePlace place{file, static_cast<int>(i + 1)};
    const LineGroup* group = group_at(groups, place);
    const Row row = group == nullptr ? Row{nothing, nothing} : Row{group->stalls, group->counts};
    table.add(columns.cells(fmt::format("{:4}", place.line), row, source_of(record, place, true)),
              paint_of(columns.share(row), colours));
  }
  return fmt::format("\n{}\n\n{}", roofline::visible(file), table.text());
}

}  // namespace

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
  const Columns columns(record);
  roofline::Table table(columns.titles("line"));
  const std::vector<LineGroup> groups = roofline::by_variant_line(record.lines);
  std::size_t hidden = groups.size() > top ? groups.size() - top : 0;
  for (std::size_t i = 0; i < groups.size() && i < top; ++i) {
    const Row row{groups[i].stalls, groups[i].counts};
    table.add(columns.cells(label(groups[i].place, groups[i].function), row,
                            source_of(record, groups[i].place)),
              paint_of(columns.share(row), colours));
    hidden += add_parts(groups[i], record, columns, colours, table);
  }
  std::string text = title + "\n" + how(record) + "\n";
  text += groups.empty() ? "Nothing is known of any line.\n" : table.text();
  if (hidden > 0)
    text += fmt::format("\n{} cooler lines are not shown: --all, --top {}, --json.\n", hidden,
                        groups.size());
  return text + losses(record);
}

std::string whole_files(const LinesRecord& record, const std::string& title, bool colours) {
  const Columns columns(record);
  const std::vector<LineGroup> of_variant = roofline::by_variant_line(record.lines);
  const std::vector<LineGroup> of_innermost = roofline::by_innermost_line(record.lines);
  const std::set<std::string> callers = calling_files(record);
  std::string text = title + "\n" + how(record);
  for (const std::string& file : files_of(record))
    if (record.sources.contains(file))
      text += whole_file(record, file, callers.contains(file) ? of_variant : of_innermost, columns,
                         colours);
  roofline::Table table(columns.titles("line"));
  for (const LineGroup& group : of_innermost)
    if (!record.sources.contains(group.place.file))
      table.add(
          columns.cells(label(group.place, group.function), {group.stalls, group.counts}, ""));
  if (!table.empty()) text += "\nelsewhere\n\n" + table.text();
  return text + losses(record);
}

}  // namespace gpp
