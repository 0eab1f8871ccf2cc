#include "roofline/view/trajectory_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "roofline/base/units.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/labels.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

const char* dash_of(const TrajectoryCurve& curve) {
  static constexpr std::array<const char*, 4> dashes = {"", "dash", "dot", "dashdot"};
  return dashes[curve.dash % dashes.size()];
}

/// The minimum and maximum of a value over all marks.
Range ends(const TrajectoryChart& chart, double TrajectoryMark::*value) {
  Range range{INFINITY, 0};
  for (const TrajectoryCurve& curve : chart.curves)
    for (const TrajectoryMark& mark : curve.marks) {
      range.low = std::min(range.low, mark.*value);
      range.high = std::max(range.high, mark.*value);
    }
  return range;
}

Range intensities(const TrajectoryChart& chart) {
  auto [low, high] = ends(chart, &TrajectoryMark::intensity);
  for (const TrajectoryRoof& roof : chart.roofs) {
    low = std::min(low, roof.peak / roof.bandwidth / 2);
    high = std::max(high, roof.peak / roof.bandwidth);
  }
  return decades(low / 1.5, high * 1.5);
}

Range rates(const TrajectoryChart& chart) {
  auto [low, high] = ends(chart, &TrajectoryMark::rate);
  for (const TrajectoryRoof& roof : chart.roofs) {
    low = std::min(low, roof.peak);
    high = std::max(high, roof.peak);
  }
  return round_range(low / 2.5, high * 1.3);
}

class TrajectoryMaker {
 public:
  TrajectoryMaker(const TrajectoryChart& from, Chart& chart) : from_(from), chart_(chart) {}

  void make() {
    for (const TrajectoryRoof& roof : from_.roofs) add_roof(roof);
    for (const TrajectoryCurve& curve : from_.curves) add_curve(curve);
    place_names(chart_, lines_, names_);
  }

 private:
  void add_roof(const TrajectoryRoof& roof);
  void add_curve(const TrajectoryCurve& curve);

  const TrajectoryChart& from_;
  Chart& chart_;
  std::vector<NameOfLine> lines_;
  std::vector<NamesOfMarks> names_;
};

/// Draws a roof up to the ridge and on to the right border, where its values are written.
void TrajectoryMaker::add_roof(const TrajectoryRoof& roof) {
  const bool widest = roof.units == from_.roofs.back().units;
  const double ridge = roof.peak / roof.bandwidth;
  const double left = std::max(chart_.x.low, chart_.y.low / roof.bandwidth);
  std::vector<ChartPoint> points;
  if (left < ridge) points = {{left, left * roof.bandwidth}, {ridge, roof.peak}};
  if (points.empty()) points = {{chart_.x.low, roof.peak}};
  if (ridge < chart_.x.high) points.push_back({chart_.x.high, roof.peak});
  if (points.size() < 2) return;
  const std::string peak = with_prefix(roof.peak, from_.model.rate_unit());
  const std::string bandwidth =
      with_prefix(roof.bandwidth, from_.model.counts_transactions() ? "txn/s" : "B/s");
  ChartLine line = plain_line(points, "roof", std::to_string(roof.units), from_.units,
                              widest ? "ink" : "roof-soft", widest ? 2.4 : 1.2);
  line.headline = fmt::format("roof of {} {}", roof.units, from_.units);
  line.facts = {{"peak", peak}, {from_.level, bandwidth}};
  chart_.lines.push_back(std::move(line));
  lines_.push_back({fmt::format("{}: {}, {}", roof.units, peak, bandwidth),
                    ChartPoint{ridge, roof.peak}, ChartPoint{chart_.x.high, roof.peak}, "ink-soft",
                    -15, true, true});
}

void TrajectoryMaker::add_curve(const TrajectoryCurve& curve) {
  const std::string colour = series_colour(curve.colour);
  const Tags tags = {{"curve", curve.label}};
  for (std::size_t i = 1; i < curve.marks.size(); ++i) {
    const TrajectoryMark &from = curve.marks[i - 1], &to = curve.marks[i];
    chart_.lines.push_back(plain_line({{from.intensity, from.rate}, {to.intensity, to.rate}},
                                      "line", curve.label, std::to_string(to.units), colour, 2,
                                      dash_of(curve), tags));
  }
  for (const TrajectoryMark& at : curve.marks) {
    ChartMark mark;
    mark.at = {at.intensity, at.rate};
    mark.item = "point";
    mark.of = curve.label;
    mark.source = at.counted ? "counted" : "not counted";
    mark.hollow = !at.counted;
    mark.colour = colour;
    mark.name = std::to_string(at.units);
    mark.headline = fmt::format("{}, {} {}", curve.label, at.units, from_.units);
    mark.facts = {{"rate", with_prefix(at.rate, from_.model.rate_unit())},
                  {"intensity at " + from_.level,
                   fmt::format("{:.3g} {}", at.intensity, intensity_unit(from_.model))},
                  {"bytes", at.counted ? "counted on so many" : "not counted on so many"}};
    mark.tags = tags;
    chart_.marks.push_back(std::move(mark));
  }
  const TrajectoryMark &first = curve.marks.front(), &last = curve.marks.back();
  NamesOfMarks names{{fmt::format("{}: {}", curve.label, last.units)},
                     {ChartPoint{last.intensity, last.rate}},
                     colour,
                     true,
                     true,
                     tags};
  if (curve.marks.size() > 1) {
    names.names.push_back(std::to_string(first.units));
    names.places.emplace_back(ChartPoint{first.intensity, first.rate});
  }
  names_.push_back(std::move(names));
}

std::vector<ChartKey> key_of(const TrajectoryChart& chart) {
  std::vector<ChartKey> key;
  bool counted = false, hollow = false;
  for (const TrajectoryCurve& curve : chart.curves) {
    key.push_back({curve.label, series_colour(curve.colour), {}, false, dash_of(curve)});
    for (const TrajectoryMark& mark : curve.marks) (mark.counted ? counted : hollow) = true;
  }
  if (counted) key.push_back({"counted by hardware", "ink-soft", Shape::circle});
  if (hollow) key.push_back({"intensity not counted there", "ink-soft", Shape::circle, true});
  key.push_back({"roofs, measured on each number", "roof-soft"});
  return key;
}

}  // namespace

Chart make_trajectory(const TrajectoryChart& trajectory, const std::string& name,
                      const std::string& subtitle) {
  Chart chart;
  chart.name = file_stem(name);
  chart.title = fmt::format("Trajectories at {} over {}: {}", trajectory.level, trajectory.units,
                            trajectory.device);
  chart.subtitle = subtitle;
  chart.description =
      fmt::format("Scaling trajectories at {} over {}", trajectory.level, trajectory.units);
  chart.key = key_of(trajectory);
  chart.frame = {1200, 800, 118, 84, 254, 108};
  chart.frame = with_room_for_key(chart);
  const Box plot = plot_of(chart.frame);
  const std::string unit = intensity_unit(trajectory.model);
  chart.x = log_axis(fmt::format("intensity at {}: {}", trajectory.level, unit), unit,
                     intensities(trajectory), plot.width());
  chart.y = log_axis("", trajectory.model.rate_unit(), rates(trajectory), plot.height(), true);
  chart.notes = trajectory.notes;
  TrajectoryMaker(trajectory, chart).make();
  return chart;
}

}  // namespace roofline
