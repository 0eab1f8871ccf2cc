#include "harness/show/trajectory_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/record/activity.h"
#include "harness/record/trajectory_lines.h"
#include "harness/show/trajectory_chart.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/charts/chart.h"
#include "roofline/charts/gnuplot.h"

namespace gpp {
namespace {

using roofline::Table;

constexpr std::size_t page_width = 100;

std::string share_cell(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f}%", 100 * *share) : "-";
}

/// The levels of a line, nearest first.
std::vector<std::string> levels_of(const TrajectoryLine& line) {
  std::vector<std::string> levels;
  for (const TrajectoryStop& stop : line.stops)
    for (const StopLevel& level : stop.levels)
      if (std::find(levels.begin(), levels.end(), level.level) == levels.end())
        levels.push_back(level.level);
  return levels;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

const roofline::Model* model_of(const Trajectory& trajectory, const TrajectoryLine& line) {
  return line.work.empty() ? nullptr : roofline::table_of(trajectory.kind).find_model(line.work);
}

bool has_pipe(const TrajectoryLine& line) {
  return std::any_of(line.stops.begin(), line.stops.end(),
                     [](const TrajectoryStop& stop) { return stop.pipe.has_value(); });
}

std::string intensity_cell(const StopLevel* level) {
  if (level == nullptr) return "-";
  const std::string number = fmt::format("{:.3g}", level->intensity);
  return level->counted ? number : fmt::format("({})", number);
}

Table table_of(const Trajectory& trajectory, const TrajectoryLine& line, bool colours) {
  using Align = Table::Align;
  const roofline::Model* model = model_of(trajectory, line);
  const std::string level = shown_level(line);
  std::vector<Table::Column> columns = {{"units", Align::right},
                                        {"time", Align::right},
                                        {"speedup", Align::right},
                                        {"efficiency", Align::right}};
  if (model != nullptr) {
    columns.push_back({model->rate_unit(), Align::right});
    columns.push_back(
        {fmt::format("{} {}", upper(level), roofline::intensity_unit(*model)), Align::right});
    columns.push_back({"change", Align::right});
    if (line.work != "instructions") columns.push_back({"compute", Align::right});
    if (has_pipe(line)) columns.push_back({"pipe", Align::right});
    if (trajectory.kind == "gpu") columns.push_back({"issue", Align::right});
    for (const std::string& one : levels_of(line)) columns.push_back({upper(one), Align::right});
  }
  columns.push_back({"limited by", Align::left});
  Table table(std::move(columns));
  for (const TrajectoryStop& stop : line.stops) {
    std::vector<std::string> cells = {
        std::to_string(stop.units), roofline::describe_seconds(stop.seconds),
        fmt::format("{:.2f}x", stop.speedup), fmt::format("{:.0f}%", 100 * stop.efficiency)};
    if (model != nullptr) {
      const StopLevel* at = stop.find(level);
      cells.push_back(stop.rate > 0 ? roofline::with_prefix(stop.rate, "") : "-");
      cells.push_back(intensity_cell(at));
      cells.push_back(at != nullptr && at->change ? fmt::format("{:.2f}x", *at->change) : "-");
      if (line.work != "instructions") cells.push_back(share_cell(stop.compute));
      if (has_pipe(line)) cells.push_back(share_cell(stop.pipe));
      if (trajectory.kind == "gpu") cells.push_back(share_cell(stop.issue));
      for (const std::string& one : levels_of(line)) {
        const StopLevel* found = stop.find(one);
        cells.push_back(found == nullptr ? "-" : share_cell(found->share));
      }
    }
    cells.push_back(stop.limit.evidence.empty() || stop.limit.by == "unknown"
                        ? stop.limit.by
                        : fmt::format("{} ({})", stop.limit.by, stop.limit.evidence));
    table.add(
        std::move(cells),
        stop.limit.by == "cache capacity" && colours
            ? [](std::string
                     text) { return roofline::coloured(text, roofline::Colour::yellow, true); }
            : std::function<std::string(std::string)>{});
  }
  return table;
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

std::string trajectory_table(const Trajectory& trajectory, bool colours) {
  std::string text;
  const std::vector<TrajectoryLine> lines = lines_of(trajectory);
  for (const TrajectoryLine& line : lines)
    text += fmt::format("{} {}, {} on {} to {} of {} {} of {}\n{}\n", line.model, line.variant,
                        line.size, line.stops.front().units, line.stops.back().units,
                        trajectory.units, units_name(trajectory.kind), trajectory.device,
                        table_of(trajectory, line, colours).text());
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
