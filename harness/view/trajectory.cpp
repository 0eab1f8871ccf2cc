#include "harness/view/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/record/derive.h"
#include "harness/view/rows.h"
#include "harness/view/trajectory_charts.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/view/roofline_chart.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
using roofline::ViewTable;
namespace cell = roofline::cell;
using StopColumn = roofline::ColumnOf<TrajectoryStop>;

TableCell share_cell(const std::optional<double>& share) {
  return cell::percent(share ? std::optional(100 * *share) : std::nullopt, 0);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// In brackets where the bytes were not counted on so many units.
TableCell intensity_cell(const StopLevel* level) {
  if (level == nullptr) return {roofline::unknown_text};
  TableCell number = cell::short_number(level->intensity);
  if (!level->counted) number.text = fmt::format("({})", number.text);
  return number;
}

TableCell change_cell(const StopLevel* level) {
  return cell::times(level == nullptr ? std::nullopt : level->change);
}

StopColumn number(const std::string& name, const std::string& title,
                  std::function<TableCell(const TrajectoryStop&)> cell) {
  return {{name, title, "", "", Align::right}, std::move(cell)};
}

std::vector<StopColumn> time_columns() {
  return {number("units", "units",
                 [](const TrajectoryStop& stop) { return cell::integer(stop.units); }),
          number("time", "time",
                 [](const TrajectoryStop& stop) { return cell::seconds(stop.seconds); }),
          number("speedup", "speedup",
                 [](const TrajectoryStop& stop) { return cell::times(stop.speedup); }),
          number("efficiency", "efficiency",
                 [](const TrajectoryStop& stop) { return share_cell(stop.efficiency); })};
}

/// The rate and the intensity at the level that the line is told with.
void add_place(std::vector<StopColumn>& columns, const roofline::Model& model,
               const std::string& level) {
  columns.push_back(number("rate", model.rate_unit(), [](const TrajectoryStop& stop) {
    return cell::prefixed(stop.rate > 0 ? std::optional(stop.rate) : std::nullopt, "");
  }));
  columns.push_back(
      number("intensity", upper(level) + " " + roofline::intensity_unit(model),
             [level](const TrajectoryStop& stop) { return intensity_cell(stop.find(level)); }));
  columns.push_back(number("change", "change", [level](const TrajectoryStop& stop) {
    return change_cell(stop.find(level));
  }));
}

/// Shares of the roofs that were measured on so many units.
void add_shares(std::vector<StopColumn>& columns, const Trajectory& trajectory,
                const TrajectoryLine& line) {
  const auto share = [&columns](const char* name, std::optional<double> TrajectoryStop::*part) {
    columns.push_back(
        number(name, name, [part](const TrajectoryStop& stop) { return share_cell(stop.*part); }));
  };
  if (line.work != "instructions") share("compute", &TrajectoryStop::compute);
  if (std::any_of(line.stops.begin(), line.stops.end(),
                  [](const TrajectoryStop& stop) { return stop.pipe.has_value(); }))
    share("pipe", &TrajectoryStop::pipe);
  if (trajectory.kind == "gpu") share("issue", &TrajectoryStop::issue);
  for (const std::string& level : levels_of(line))
    columns.push_back(number(level, upper(level), [level](const TrajectoryStop& stop) {
      const StopLevel* found = stop.find(level);
      return share_cell(found == nullptr ? std::nullopt : found->share);
    }));
}

TableCell limit_cell(const TrajectoryStop& stop) {
  const Limit& limit = stop.limit;
  return {limit.evidence.empty() || limit.by == "unknown"
              ? limit.by
              : fmt::format("{} ({})", limit.by, limit.evidence)};
}

std::string legend(const Trajectory& trajectory) {
  return roofline::wrapped(
             fmt::format(
                 "speedup: over the fewest {0}; efficiency: of that, over the growth of the {0}; "
                 "change: of the intensity, over that of the fewest; percentages: of the roofs "
                 "measured on so many {0}, and of the time that the FP64 pipe was busy; in "
                 "brackets: not counted by hardware on so many; cache "
                 "capacity: a level that the {0} share limits, and moves at least 1.1 times the "
                 "bytes that it moved on the fewest.",
                 units_name(trajectory.kind)),
             page_width, 2) +
         "\n";
}

/// The place of a stop at one level alone.
std::optional<roofline::Step> step_of(const TrajectoryLine& line, const TrajectoryStop& stop,
                                      const std::string& level) {
  const StopLevel* found = stop.find(level);
  if (found == nullptr || !(stop.rate > 0)) return std::nullopt;
  roofline::RooflinePoint point;
  point.precision = line.work;
  point.flop_per_s = stop.rate;
  point.seconds = stop.seconds;
  point.flop = stop.rate * stop.seconds;
  point.analytic = !found->counted;
  roofline::LevelPoint at;
  at.level = level;
  at.intensity = found->intensity;
  at.bytes = point.flop / found->intensity;
  point.levels = {at};
  return roofline::Step{std::to_string(stop.units), point};
}

}  // namespace

ViewTable trajectory_table(const Trajectory& trajectory, const TrajectoryLine& line,
                           bool with_shares) {
  const roofline::Model* model =
      line.work.empty() ? nullptr : roofline::table_of(trajectory.kind).find_model(line.work);
  std::vector<StopColumn> columns = time_columns();
  if (model != nullptr) add_place(columns, *model, shown_level(line));
  if (model != nullptr && with_shares) add_shares(columns, trajectory, line);
  columns.push_back({{"limited_by", "limited by"}, limit_cell});
  ViewTable table = roofline::table_of(
      columns, line.stops,
      {"trajectory",
       fmt::format("{} {}, {} on {} to {} of {} {} of {}", line.model, line.variant, line.size,
                   line.stops.front().units, line.stops.back().units, trajectory.units,
                   units_name(trajectory.kind), trajectory.device),
       {},
       {},
       {}});
  for (std::size_t i = 0; i < line.stops.size(); ++i)
    if (line.stops[i].limit.by == "cache capacity") table.rows[i].tone = "warning";
  return table;
}

std::string trajectory_text(const Trajectory& trajectory, bool colours) {
  std::string text;
  const std::vector<TrajectoryLine> lines = lines_of(trajectory);
  for (const TrajectoryLine& line : lines) {
    const ViewTable table = trajectory_table(trajectory, line);
    text += fmt::format("{}\n{}\n", table.caption, terminal_text(table, colours));
  }
  if (!lines.empty()) text += legend(trajectory);
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results)
      if (!result.timed())
        text += roofline::wrapped(
                    fmt::format("{} {}, {} on {}: {}: {}", result.model, result.variant, point.size,
                                point.units, name_of(result.status), result.reason),
                    page_width, 2) +
                "\n";
  for (const std::string& lost : trajectory.lost)
    text += roofline::wrapped(fmt::format("Missing: {}", roofline::visible(lost)), page_width, 2) +
            "\n";
  if (!trajectory.complete) text += "Partial: it was interrupted.\n";
  return text;
}

std::string terminal_trajectories(const Trajectory& trajectory, const roofline::TextStyle& style) {
  std::string text;
  for (const TrajectoryLine& line : lines_of(trajectory)) {
    const std::string level = shown_level(line);
    std::vector<roofline::Step> steps;
    for (const TrajectoryStop& stop : line.stops)
      if (auto step = step_of(line, stop, level)) steps.push_back(*std::move(step));
    const roofline::Ceilings* ceilings =
        ceilings_of_kind(line.stops.back().point->study, trajectory.kind);
    if (steps.empty() || ceilings == nullptr) continue;
    if (const auto chart = roofline::make_chart(*ceilings, steps, line.work))
      text +=
          fmt::format("\n{}", roofline::terminal_roofline(
                                  *chart,
                                  fmt::format("{} {}, markers at {} named by {}", line.variant,
                                              line.size, upper(level), units_name(trajectory.kind)),
                                  style));
  }
  return text;
}

}  // namespace gpp
