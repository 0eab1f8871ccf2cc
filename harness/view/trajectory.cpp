#include "harness/view/trajectory.h"

#include <fmt/format.h>

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

TableCell rate_cell(const StopRow& row) {
  if (row.model == nullptr || !(row.stop->rate > 0)) return {roofline::unknown_text};
  return cell::prefixed(row.stop->rate, row.model->rate_unit());
}

/// The intensity, in parentheses if the bytes were not counted on so many units.
TableCell intensity_cell(const StopRow& row) {
  const StopLevel* level = row.at();
  if (level == nullptr) return {roofline::unknown_text};
  TableCell number = cell::short_number(level->intensity);
  if (!level->counted) number.text = fmt::format("({})", number.text);
  return number;
}

StopColumn number(const std::string& title, std::function<TableCell(const StopRow&)> cell) {
  return {{title, title, "", "", Align::right}, std::move(cell)};
}

std::vector<StopColumn> stop_columns() {
  return {{{"variant", "variant"},
           [](const StopRow& row) { return TableCell{row.line->model + " " + row.line->variant}; }},
          {{"size", "size"}, [](const StopRow& row) { return TableCell{row.line->size}; }},
          number("units", [](const StopRow& row) { return cell::integer(row.stop->units); }),
          number("time", [](const StopRow& row) { return cell::seconds(row.stop->seconds); }),
          number("speedup", [](const StopRow& row) { return cell::times(row.stop->speedup); }),
          number("efficiency",
                 [](const StopRow& row) { return cell::percent(100 * row.stop->efficiency, 0); }),
          number("rate", rate_cell),
          {{"level", "at"}, [](const StopRow& row) { return TableCell{row.level}; }},
          number("intensity", intensity_cell),
          number("change",
                 [](const StopRow& row) {
                   return cell::times(row.at() == nullptr ? std::nullopt : row.at()->change);
                 }),
          {{"limited_by", "limited by"}, [](const StopRow& row) {
             const Limit& limit = row.stop->limit;
             return TableCell{limit.evidence.empty()
                                  ? limit.by
                                  : fmt::format("{} ({})", limit.by, limit.evidence)};
           }}};
}

}  // namespace

Table trajectory_table(const Trajectory& trajectory) {
  const std::vector<TrajectoryLine> lines = lines_of(trajectory);
  const std::vector<StopRow> rows = rows_of(lines, trajectory.kind);
  const std::string units = units_name(trajectory.kind);
  Table table = roofline::table_of(
      stop_columns(), rows,
      {"trajectory",
       fmt::format("{} on a part of {} that grows to {} {}", trajectory.kernel,
                   roofline::visible(trajectory.device), trajectory.units, units),
       {},
       {},
       {fmt::format(
           "speedup: over the fewest {}; efficiency: of that, over the growth of units. "
           "intensity: work per byte, or per transaction, of the level named before it, in "
           "brackets if it was not counted on so many; change: of that, over that of the "
           "fewest. limited by: the nearest of the roofs measured on so many; cache "
           "capacity: a level that units share, which moves at least {} times the bytes.",
           units, more_bytes)}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].stop->limit.by == "cache capacity") table.rows[i].tone = "warning";
  return without_empty_columns(std::move(table));
}

std::string trajectory_text(const Trajectory& trajectory, bool colours) {
  const Table table = trajectory_table(trajectory);
  std::string text;
  if (!table.rows.empty())
    text = fmt::format("{}\n\n{}", table.caption, terminal_text(table, colours));
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results)
      if (!result.timed())
        text += roofline::paragraph(
            fmt::format("{} {}, {} on {}: {}: {}", result.model, result.variant, point.size,
                        point.units, name_of(result.status), result.reason),
            2);
  for (const std::string& lost : trajectory.lost)
    text += roofline::paragraph(fmt::format("Missing: {}", roofline::visible(lost)), 2);
  return trajectory.complete ? text : text + "Partial: it was interrupted.\n";
}

}  // namespace gpp
