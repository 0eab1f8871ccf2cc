#include "harness/view/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "harness/view/rows.h"
#include "harness/view/trajectory_charts.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/model.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Table;
using roofline::TableCell;
namespace cell = roofline::cell;

/// A line on one number of units, at the memory level chosen for the line.
struct StopRow {
  const TrajectoryLine* line;
  const TrajectoryStop* stop;
  const roofline::Model* model;  ///< the work's model, or nullptr without counts
  std::string level;

  const StopLevel* at() const { return stop->find(level); }
};

using StopColumn = roofline::ColumnOf<StopRow>;

std::vector<StopRow> rows_of(const std::vector<TrajectoryLine>& lines, const std::string& kind) {
  std::vector<StopRow> rows;
  for (const TrajectoryLine& line : lines)
    for (const TrajectoryStop& stop : line.stops)
      rows.push_back({&line, &stop,
                      line.work.empty() ? nullptr : roofline::table_of(kind).find_model(line.work),
                      shown_level(line)});
  return rows;
}

TableCell whole_percent(const std::optional<double>& share) {
  return cell::percent(share ? std::optional(100 * *share) : std::nullopt, 0);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// The intensity, in parentheses if the bytes were not counted on so many units.
TableCell intensity_cell(const StopLevel* level) {
  if (level == nullptr) return {roofline::unknown_text};
  TableCell number = cell::short_number(level->intensity);
  if (!level->counted) number.text = fmt::format("({})", number.text);
  return number;
}

TableCell stop_limit_cell(const StopRow& row) {
  const Limit& limit = row.stop->limit;
  return {limit.evidence.empty() || limit.by == "unknown"
              ? limit.by
              : fmt::format("{} ({})", limit.by, limit.evidence)};
}

StopColumn number(const std::string& title, std::function<TableCell(const StopRow&)> cell) {
  return {{title, title, "", "", Align::right}, std::move(cell)};
}

/// Columns of what ran, its time, and its position: the rate and the intensity at one level.
std::vector<StopColumn> stop_columns() {
  return {
      {{"variant", "variant"},
       [](const StopRow& row) { return TableCell{row.line->model + " " + row.line->variant}; }},
      {{"size", "size"}, [](const StopRow& row) { return TableCell{row.line->size}; }},
      number("units", [](const StopRow& row) { return cell::integer(row.stop->units); }),
      number("time", [](const StopRow& row) { return cell::seconds(row.stop->seconds); }),
      number("speedup", [](const StopRow& row) { return cell::times(row.stop->speedup); }),
      number("efficiency", [](const StopRow& row) { return whole_percent(row.stop->efficiency); }),
      number("rate",
             [](const StopRow& row) {
               const double rate = row.model == nullptr ? 0 : row.stop->rate;
               return cell::prefixed(rate > 0 ? std::optional(rate) : std::nullopt,
                                     rate > 0 ? row.model->rate_unit() : "");
             }),
      {{"level", "at"}, [](const StopRow& row) { return TableCell{upper(row.level)}; }},
      number("intensity", [](const StopRow& row) { return intensity_cell(row.at()); }),
      number("change", [](const StopRow& row) {
        return cell::times(row.at() == nullptr ? std::nullopt : row.at()->change);
      })};
}

/// Columns of shares of the roofs measured on that many units.
std::vector<StopColumn> share_columns(const std::vector<TrajectoryLine>& lines) {
  std::vector<StopColumn> columns = {
      number("compute",
             [](const StopRow& row) {
               return whole_percent(row.line->work == "instructions" ? std::nullopt
                                                                     : row.stop->compute);
             }),
      number("pipe", [](const StopRow& row) { return whole_percent(row.stop->pipe); }),
      number("issue", [](const StopRow& row) { return whole_percent(row.stop->issue); })};
  std::vector<std::string> levels;
  for (const TrajectoryLine& line : lines)
    for (const std::string& level : levels_of(line))
      if (std::ranges::find(levels, level) == levels.end()) levels.push_back(level);
  std::ranges::sort(levels, roofline::is_nearer);
  for (const std::string& level : levels)
    columns.push_back(number(upper(level), [level](const StopRow& row) {
      const StopLevel* found = row.stop->find(level);
      return whole_percent(found == nullptr ? std::nullopt : found->share);
    }));
  return columns;
}

std::string legend(const Trajectory& trajectory) {
  return roofline::paragraph(
      fmt::format("speedup: over the fewest {0}; efficiency: of that, over the growth of the {0}; "
                  "intensity: work per byte, or per transaction, of the level named before it; "
                  "change: "
                  "of that, over that of the fewest; percentages: of the roofs "
                  "measured on so many {0}, and of the time that the FP64 pipe was busy; in "
                  "brackets: not counted by hardware on so many; cache "
                  "capacity: a level that the {0} share limits, and moves at least 1.1 times the "
                  "bytes that it moved on the fewest.",
                  units_name(trajectory.kind)),
      2);
}

}  // namespace

Table trajectory_table(const Trajectory& trajectory) {
  const std::vector<TrajectoryLine> lines = lines_of(trajectory);
  const std::vector<StopRow> rows = rows_of(lines, trajectory.kind);
  std::vector<StopColumn> columns = stop_columns();
  for (StopColumn& column : share_columns(lines)) columns.push_back(std::move(column));
  columns.push_back({{"limited_by", "limited by"}, stop_limit_cell});
  Table table =
      roofline::table_of(columns, rows,
                         {"trajectory",
                          fmt::format("{} on a part of {} that grows to {} {}", trajectory.kernel,
                                      roofline::visible(trajectory.device), trajectory.units,
                                      units_name(trajectory.kind)),
                          {},
                          {},
                          {}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].stop->limit.by == "cache capacity") table.rows[i].tone = "warning";
  return without_empty_columns(std::move(table));
}

std::string trajectory_text(const Trajectory& trajectory, bool colours) {
  std::string text;
  if (const Table table = trajectory_table(trajectory); !table.rows.empty())
    text +=
        fmt::format("{}\n{}\n{}", table.caption, terminal_text(table, colours), legend(trajectory));
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results)
      if (!result.timed())
        text += roofline::paragraph(
            fmt::format("{} {}, {} on {}: {}: {}", result.model, result.variant, point.size,
                        point.units, name_of(result.status), result.reason),
            2);
  for (const std::string& lost : trajectory.lost)
    text += roofline::paragraph(fmt::format("Missing: {}", roofline::visible(lost)), 2);
  if (!trajectory.complete) text += "Partial: it was interrupted.\n";
  return text;
}

}  // namespace gpp
