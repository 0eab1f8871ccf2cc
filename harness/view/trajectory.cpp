#include "harness/view/trajectory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/record/derive.h"
#include "roofline/advice.h"
#include "roofline/base/text.h"
#include "roofline/view/axes.h"
#include "roofline/view/roofline_chart.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartMark;
using roofline::LevelPoint;
using roofline::RooflinePoint;
using roofline::Table;
using roofline::TableCell;
using roofline::with_prefix;
namespace cell = roofline::cell;

constexpr const char* all_instructions = "instructions";

/// A timed result on a number of units.
struct TrajectoryStop {
  int units;
  const Result* result;
  const RooflinePoint* point = nullptr;  ///< in the work that is shown
  const LevelPoint* level = nullptr;     ///< at the level that is shown

  double seconds() const { return result->timing().median; }
};

/// A variant and size, fewest units first.
struct TrajectoryLine {
  std::string variant, size;  ///< "cuda v9", "gpp214"
  std::string label;          ///< in the chart: "v9", with the size if there are several
  std::vector<TrajectoryStop> stops = {};
};

struct TrajectoryView {
  const Trajectory& trajectory;
  std::vector<TrajectoryLine> lines;
  const roofline::Model* model = nullptr;  ///< of the work that is shown; nullptr without counts
  const roofline::Level* level = nullptr;  ///< that is shown
  std::string level_name = {};             ///< for people
};

std::vector<TrajectoryLine> lines_of(const Trajectory& trajectory) {
  std::vector<TrajectoryLine> lines;
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results) {
      if (!result.timed()) continue;
      const std::string variant = result.model + " " + result.variant;
      auto line = std::ranges::find_if(lines, [&](const TrajectoryLine& one) {
        return one.variant == variant && one.size == point.size;
      });
      if (line == lines.end()) {
        const bool several = trajectory.sizes.size() > 1;
        lines.push_back({variant, point.size, result.variant + (several ? " " + point.size : "")});
        line = lines.end() - 1;
      }
      line->stops.push_back({point.units, &result});
    }
  for (TrajectoryLine& line : lines) std::ranges::sort(line.stops, {}, &TrajectoryStop::units);
  return lines;
}

const RooflinePoint* point_of(const Result& result, const std::string& work) {
  for (const auto* points : {&result.rooflines, &result.instructions})
    for (const RooflinePoint& point : *points)
      if (point.precision == work) return &point;
  return nullptr;
}

/// The precision with most operations. Work that only moves bytes has no intensity there, so its
/// instructions are used.
const RooflinePoint* leading_point(const Result& result) {
  const RooflinePoint* point = result.roofline();
  return point != nullptr && !roofline::only_moves(*point) ? point
                                                           : point_of(result, all_instructions);
}

/// L1 and shared memory belong to one unit, so there all lines go straight up.
bool reaches(const RooflinePoint& point, const LevelPoint& level) {
  constexpr double least_share = 0.01;  // of the time
  return level.level != "l1" && level.level != "shared" &&
         level.seconds >= least_share * point.seconds;
}

/// Chooses the work and the level that most lines reach, the farthest of equal ones.
void choose_level(TrajectoryView& view) {
  std::map<std::pair<std::string, std::string>, std::set<const TrajectoryLine*>> reached;
  for (const TrajectoryLine& line : view.lines)
    for (const TrajectoryStop& stop : line.stops)
      if (const RooflinePoint* point = leading_point(*stop.result))
        for (const LevelPoint& level : point->levels)
          if (reaches(*point, level)) reached[{point->precision, level.level}].insert(&line);
  const auto most = std::ranges::max_element(reached, [](const auto& one, const auto& other) {
    if (one.second.size() != other.second.size()) return one.second.size() < other.second.size();
    return roofline::is_nearer(one.first.second, other.first.second);
  });
  if (most == reached.end()) return;
  const auto& [work, level] = most->first;
  view.model = roofline::table_of(view.trajectory.kind).find_model(work);
  if (view.model != nullptr) view.level = view.model->find_level(level);
  view.level_name = roofline::level_label(view.trajectory.kind, level);
  for (TrajectoryLine& line : view.lines)
    for (TrajectoryStop& stop : line.stops)
      if ((stop.point = point_of(*stop.result, work)) != nullptr)
        stop.level = stop.point->find_level(level);
}

TrajectoryView view_of(const Trajectory& trajectory) {
  TrajectoryView view{trajectory, lines_of(trajectory)};
  choose_level(view);
  return view;
}

// ---- The table ----------------------------------------------------------------------------------

struct TrajectoryRow {
  const TrajectoryView& view;
  const TrajectoryLine& line;
  const TrajectoryStop& stop;

  const TrajectoryStop& first() const { return line.stops.front(); }
  double speedup() const { return first().seconds() / stop.seconds(); }
  /// The intensity over that on the fewest units.
  std::optional<double> change() const {
    if (stop.level == nullptr || first().level == nullptr) return std::nullopt;
    return stop.level->intensity / first().level->intensity;
  }
};

/// The nearest roof of the work, or what else holds it back.
std::string limit_of(const TrajectoryRow& row) {
  const Result& result = *row.stop.result;
  const RooflinePoint* point = row.stop.point != nullptr ? row.stop.point : result.roofline();
  if (point == nullptr) return roofline::unknown_text;
  roofline::Metrics metrics = result.counted.metrics;
  // The use of pipes is counted on the whole device alone, so it does not compare.
  std::erase_if(metrics, [](const auto& one) { return one.first.ends_with("_pipe"); });
  roofline::Verdict found = roofline::verdict(*point, metrics);
  if (point->precision == all_instructions && found.by == "compute") found.by = "issue";
  if (found.evidence.empty()) found.evidence = roofline::percent_text(point->percent_of_roof, 0);
  return found.text();
}

/// The intensity, in brackets if the bytes were not counted.
TableCell intensity_cell(const TrajectoryRow& row) {
  if (row.stop.level == nullptr) return {roofline::unknown_text};
  TableCell number = cell::short_number(row.stop.level->intensity);
  if (row.stop.point->analytic) number.text = fmt::format("({})", number.text);
  return number;
}

TableCell rate_cell(const TrajectoryRow& row) {
  if (row.stop.point == nullptr) return {roofline::unknown_text};
  return cell::prefixed(row.stop.point->flop_per_s, row.view.model->rate_unit());
}

std::vector<roofline::ColumnOf<TrajectoryRow>> columns_of(const TrajectoryView& view) {
  using MakeCell = TableCell (*)(const TrajectoryRow&);
  const auto number = [](const char* name, const std::string& title, MakeCell cell) {
    return roofline::ColumnOf<TrajectoryRow>{{name, title, "", "", roofline::Align::right}, cell};
  };
  const auto speedup = [](const TrajectoryRow& row) { return cell::times(row.speedup()); };
  const auto efficiency = [](const TrajectoryRow& row) {
    return cell::percent(100 * row.speedup() * row.first().units / row.stop.units, 0);
  };
  return {{{"variant", "variant"},
           [](const TrajectoryRow& row) { return TableCell{row.line.variant}; }},
          {{"size", "size"}, [](const TrajectoryRow& row) { return TableCell{row.line.size}; }},
          number("units", "units",
                 [](const TrajectoryRow& row) { return cell::integer(row.stop.units); }),
          number("time", "time",
                 [](const TrajectoryRow& row) { return cell::seconds(row.stop.seconds()); }),
          number("speedup", "speedup", speedup),
          number("efficiency", "efficiency", efficiency),
          number("rate", "rate", rate_cell),
          number("intensity", "intensity at " + view.level_name, intensity_cell),
          number("change", "change",
                 [](const TrajectoryRow& row) { return cell::times(row.change()); }),
          {{"limited_by", "limited by"},
           [](const TrajectoryRow& row) { return TableCell{limit_of(row)}; }}};
}

// ---- The chart ----------------------------------------------------------------------------------

/// The highest rate of work, and bytes or transactions, per second on a number of units.
struct PartRoof {
  double peak = 0, bandwidth = 0;
  double ridge() const { return peak / bandwidth; }
};

/// The roofs for each number of units, from the first size that has them.
std::map<int, PartRoof> roofs_of(const TrajectoryView& view) {
  std::map<int, PartRoof> roofs;
  for (const TrajectoryPoint& point : view.trajectory.points) {
    const auto* ceilings = ceilings_of_kind(point.study, view.trajectory.kind);
    if (ceilings == nullptr) continue;
    const roofline::Ceiling* peak = ceilings->find(view.model->peak);
    const std::optional<double> bandwidth = roofline::bandwidth_of(*ceilings, *view.level);
    if (peak != nullptr && peak->measured > 0 && bandwidth)
      roofs.try_emplace(point.units, PartRoof{peak->measured, *bandwidth});
  }
  return roofs;
}

/// A line's marks, hollow where hardware did not count. The last has the line's label, the first
/// its number of units.
std::vector<ChartMark> marks_of(const TrajectoryView& view, const TrajectoryLine& line,
                                const std::string& colour) {
  std::vector<ChartMark> marks;
  if (std::ranges::none_of(line.stops, [](const TrajectoryStop& stop) {
        return stop.level != nullptr && reaches(*stop.point, *stop.level);
      }))
    return marks;  // it moves next to nothing there
  for (const TrajectoryStop& stop : line.stops) {
    if (stop.level == nullptr) continue;
    const std::string units = std::to_string(stop.units);
    ChartMark mark{{"point", line.label, units, colour, {{"curve", line.label}}},
                   {stop.level->intensity, stop.point->flop_per_s}};
    mark.hollow = stop.point->analytic;
    mark.source = mark.hollow ? "not counted" : "counted";
    mark.headline = fmt::format("{}, {} {}", line.label, units, units_name(view.trajectory.kind));
    mark.facts = {{"rate", with_prefix(mark.at.y, view.model->rate_unit())},
                  {"intensity at " + view.level_name,
                   fmt::format("{:.3g} {}", mark.at.x, intensity_unit(*view.model))}};
    marks.push_back(std::move(mark));
  }
  if (marks.empty()) return marks;
  marks.front().label = marks.front().name;
  marks.back().label = line.label + ": " + marks.back().name;
  return marks;
}

/// Adds the curves with their entries in the key.
void add_curves(Chart& chart, const TrajectoryView& view) {
  for (std::size_t place = 0; place < view.lines.size(); ++place) {
    const TrajectoryLine& line = view.lines[place];
    const std::string colour = roofline::series_colour(place);
    const std::vector<ChartMark> marks = marks_of(view, line, colour);
    if (marks.empty()) continue;
    chart.key.push_back({line.label, colour});
    for (std::size_t i = 1; i < marks.size(); ++i)
      chart.lines.push_back({{"line", line.label, marks[i].name, colour, marks[i].tags},
                             {marks[i - 1].at, marks[i].at},
                             2});
    chart.marks.insert(chart.marks.end(), marks.begin(), marks.end());
  }
}

/// Draws a roof up to the ridge and on to the right border, where its values are written.
void add_roof(Chart& chart, const TrajectoryView& view, int number, const PartRoof& roof,
              bool widest) {
  const std::string units = std::to_string(number), whose = units_name(view.trajectory.kind);
  const double left = std::max(chart.x.low, chart.y.low / roof.bandwidth);
  roofline::ChartLine line{{"roof", units, whose, widest ? "ink" : "roof-soft"}};
  line.points = {{chart.x.low, roof.peak}};
  if (left < roof.ridge()) line.points = {{left, left * roof.bandwidth}, {roof.ridge(), roof.peak}};
  if (roof.ridge() < chart.x.high) line.points.push_back({chart.x.high, roof.peak});
  line.width = widest ? 2.4 : 1.2;
  line.headline = fmt::format("roof of {} {}", units, whose);
  line.label =
      fmt::format("{}: {}, {}", units, with_prefix(roof.peak, view.model->rate_unit()),
                  with_prefix(roof.bandwidth, view.model->counts_transactions() ? "txn/s" : "B/s"));
  if (line.points.size() > 1) chart.lines.push_back(std::move(line));
}

void add_axes(Chart& chart, const TrajectoryView& view, const std::map<int, PartRoof>& roofs) {
  roofline::Range across = roofline::empty_range, up = across;
  for (const ChartMark& mark : chart.marks) {
    across.hold(mark.at.x);
    up.hold(mark.at.y);
  }
  for (const auto& [units, roof] : roofs) {
    across.hold(roof.ridge());
    across.hold(roof.ridge() / 2);
    up.hold(roof.peak);
  }
  const std::string unit = intensity_unit(*view.model);
  chart.x = roofline::log_axis(fmt::format("intensity at {}: {}", view.level_name, unit), unit,
                               roofline::decades(across.low / 1.5, across.high * 1.5));
  chart.y = roofline::log_axis("", view.model->rate_unit(),
                               roofline::round_range(up.low / 2.5, up.high * 1.3));
}

}  // namespace

Table trajectory_table(const Trajectory& trajectory) {
  const TrajectoryView view = view_of(trajectory);
  std::vector<TrajectoryRow> rows;
  for (const TrajectoryLine& line : view.lines)
    for (const TrajectoryStop& stop : line.stops) rows.push_back({view, line, stop});
  const std::string units = units_name(trajectory.kind);
  Table table = roofline::table_of(
      columns_of(view), rows,
      {"trajectory",
       fmt::format("{} on a part of {} that grows to {} {}", trajectory.kernel,
                   roofline::visible(trajectory.device), trajectory.units, units),
       {},
       {},
       {fmt::format(
           "speedup and change: over the fewest {}; efficiency: speedup over the growth "
           "of units. intensity: work per byte or transaction, in brackets if it was not "
           "counted. limited by: the nearest of the roofs measured on so many, or what else "
           "holds it back.",
           units)}});
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

std::optional<Chart> trajectory_chart(const Trajectory& trajectory) {
  const TrajectoryView view = view_of(trajectory);
  if (view.level == nullptr) return std::nullopt;
  const std::map<int, PartRoof> roofs = roofs_of(view);
  if (roofs.empty()) return std::nullopt;
  const std::string what =
      fmt::format("at {} over {}", view.level_name, units_name(trajectory.kind));
  Chart chart{"trajectory", fmt::format("Trajectories {}: {}", what, trajectory.device),
              fmt::format("{}; {}; {}", trajectory.kernel, fmt::join(trajectory.sizes, ", "),
                          trajectory.created.substr(0, 10)),
              "Scaling trajectories " + what};
  chart.frame = {1200, 800, 118, 84, 50, 108};
  add_curves(chart, view);
  add_axes(chart, view, roofs);
  for (const auto& [units, roof] : roofs)
    add_roof(chart, view, units, roof, units == roofs.rbegin()->first);
  for (const bool hollow : {false, true})
    if (std::ranges::find(chart.marks, hollow, &ChartMark::hollow) != chart.marks.end())
      chart.key.push_back({hollow ? "computed, not counted" : "counted by hardware", "ink-soft",
                           roofline::Shape::circle, hollow});
  chart.key.push_back({"roofs, measured on each number", "roof-soft"});
  finish(chart);
  return chart;
}

}  // namespace gpp
