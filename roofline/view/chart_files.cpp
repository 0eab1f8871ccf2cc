#include "roofline/view/chart_files.h"

#include <fmt/format.h>

#include "roofline/base/replace_file.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

/// The names of an item in the chart: its kind, its owner, its name, and its source.
struct What {
  std::string item, of, name, source;
};

TableCell number(std::optional<double> value) {
  return value ? TableCell{fmt::format("{}", *value), *value} : TableCell{""};
}

TableRow row(const What& what, ChartPoint from, std::optional<ChartPoint> to,
             std::optional<double> low = {}, std::optional<double> high = {}) {
  return {{{what.item},
           {what.of},
           {what.name},
           {what.source},
           number(from.x),
           number(from.y),
           number(to ? std::optional(to->x) : std::nullopt),
           number(to ? std::optional(to->y) : std::nullopt),
           number(low),
           number(high)}};
}

}  // namespace

std::string file_stem(std::string_view text) {
  std::string stem(text);
  const auto is_safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  std::replace_if(
      stem.begin(), stem.end(), [&is_safe](char c) { return !is_safe(c); }, '_');
  return stem;
}

Table chart_table(const Chart& chart) {
  Table table{chart.name, chart.title, {}, {}, {}};
  for (const char* name : {"item", "of", "name", "source", "x", "y", "to_x", "to_y", "low", "high"})
    table.columns.push_back({name, name});
  for (const ChartBox& box : chart.boxes)
    table.rows.push_back(row({box.item, box.of, box.name, ""}, {box.left, box.bottom},
                             ChartPoint{box.right, box.top}));
  for (const ChartLine& line : chart.lines)
    for (std::size_t i = 1; i < line.points.size(); ++i)
      table.rows.push_back(
          row({line.item, line.of, line.name, ""}, line.points[i - 1], line.points[i]));
  for (const ChartMark& mark : chart.marks)
    table.rows.push_back(
        row({mark.item, mark.of, mark.name, mark.source}, mark.at, {}, mark.low, mark.high));
  return table;
}

WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts) {
  WrittenCharts written;
  try {
    for (const Chart& chart : charts) {
      write_whole(folder / (chart.name + ".svg"), svg_text(chart));
      write_whole(folder / (chart.name + ".csv"), csv_text(chart_table(chart)));
      written.note += (written.note.empty() ? "Charts: " : " ") + chart.name + ".svg";
    }
  } catch (const std::exception& error) {
    written.complete = false;
    written.note +=
        fmt::format("{}Charts: not written: {}", written.note.empty() ? "" : ". ", error.what());
  }
  return written;
}

}  // namespace roofline
