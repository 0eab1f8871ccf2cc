#include "harness/view/scaling_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "roofline/base/units.h"
#include "roofline/view/axes.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

using roofline::Chart;
using Points = std::vector<ScalingPoint>;

/// The scaling of one study.
struct Scaled {
  const NamedStudy* named;
  const Points* points;
};

std::vector<Scaled> scaled(const std::vector<NamedStudy>& studies, Points ScalingRecord::*kind) {
  std::vector<Scaled> list;
  for (const NamedStudy& named : studies)
    if (named.study.scaling && ((*named.study.scaling).*kind).size() > 1 &&
        !named.study.results.empty())
      list.push_back({&named, &((*named.study.scaling).*kind)});
  return list;
}

std::string subtitle_of(const std::vector<Scaled>& all) {
  if (all.size() > 1) return "several studies; inputs may differ";
  const StudyRecord& study = all.front().named->study;
  const Result& result = study.results.front();
  return fmt::format("{}; {} {}; {}; blocks by {}; {}", study.input.path, result.model,
                     result.variant, result.device, all.front().points->back().transport,
                     study.created.substr(0, 10));
}

/// A point of the chart: its value, the ends of its interval, and the ideal value.
struct RankPlace {
  double value, low, high, ideal;
};

RankPlace place_of(const Points& points, const ScalingPoint& point, bool strong) {
  const double first = points.front().seconds();
  const Timing timing = summarize(point.samples);
  const auto value = [&](double seconds) { return strong ? first / seconds : seconds / first; };
  return {value(timing.median), std::min(value(timing.low), value(timing.high)),
          std::max(value(timing.low), value(timing.high)),
          strong ? static_cast<double>(point.ranks) / points.front().ranks : 1.0};
}

void add_points(Chart& chart, const Scaled& one, std::size_t index, bool strong) {
  const Points& points = *one.points;
  roofline::ChartLine line, ideal;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    const RankPlace place = place_of(points, point, strong);
    const auto ranks = static_cast<double>(point.ranks);
    line.points.push_back({ranks, place.value});
    ideal.points.push_back({ranks, place.ideal});
    const double efficiency = strong ? strong_efficiency(points, i) : weak_efficiency(points, i);
    roofline::ChartMark mark;
    mark.at = line.points.back();
    mark.item = "point";
    mark.of = one.named->name;
    mark.source = "measured";
    mark.colour = roofline::series_colour(index);
    mark.name = std::to_string(point.ranks);
    mark.headline = fmt::format("{}, {} ranks", one.named->name, point.ranks);
    mark.facts = {{"time", roofline::with_prefix(point.seconds(), "s")},
                  {"efficiency", fmt::format("{:.3g}%", 100 * efficiency)},
                  {"waiting for blocks", fmt::format("{:.3g}%", 100 * point.wait)},
                  {"blocks by", point.transport}};
    mark.low = place.low;
    mark.high = place.high;
    mark.tags = {{"study", one.named->name}};
    chart.marks.push_back(std::move(mark));
  }
  line.item = "line";
  ideal.item = "ideal";
  line.of = ideal.of = one.named->name;
  line.colour = roofline::series_colour(index);
  line.width = 2;
  ideal.colour = "ink-soft";
  ideal.dash = "dash";
  chart.lines.push_back(std::move(ideal));
  chart.lines.push_back(std::move(line));
}

/// Ticks at the numbers of ranks.
roofline::ChartAxis rank_axis(const std::vector<Scaled>& all) {
  std::set<int> ranks;
  for (const Scaled& one : all)
    for (const ScalingPoint& point : *one.points) ranks.insert(point.ranks);
  roofline::ChartAxis axis{"ranks", "", true, 0.9 * *ranks.begin(), 1.1 * *ranks.rbegin()};
  for (const int one : ranks) axis.ticks.push_back({static_cast<double>(one), std::to_string(one)});
  return axis;
}

roofline::ChartAxis value_axis(const Chart& chart, bool strong) {
  double low = INFINITY, high = 0;
  for (const roofline::ChartMark& mark : chart.marks) {
    low = std::min(low, *mark.low);
    high = std::max(high, *mark.high);
  }
  for (const roofline::ChartLine& line : chart.lines)
    for (const roofline::ChartPoint& point : line.points) high = std::max(high, point.y);
  roofline::ChartAxis axis{strong ? "speedup over the first" : "time over that of the first", "x",
                           strong, 0.9 * low, 1.1 * high};
  if (strong)
    for (double tick = 1; tick <= axis.high; tick *= 2)
      axis.ticks.push_back({tick, fmt::format("{:g}x", tick)});
  else
    axis = roofline::linear_axis(axis.title, "x", {0, 1.2 * high});
  return axis;
}

std::optional<Chart> make_scaling(const std::vector<NamedStudy>& studies, bool strong) {
  const std::vector<Scaled> all =
      scaled(studies, strong ? &ScalingRecord::strong : &ScalingRecord::weak);
  if (all.empty()) return std::nullopt;
  Chart chart;
  chart.name = strong ? "strong" : "weak";
  chart.title = strong ? "Strong scaling: speedup over ranks" : "Weak scaling: time over ranks";
  chart.subtitle = subtitle_of(all);
  chart.description = chart.title;
  chart.key = {{"ideal", "ink-soft", {}, false, "dash"}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    chart.key.push_back({all.size() > 1 ? all[i].named->name : "measured, with its 95% interval",
                         roofline::series_colour(i), roofline::Shape::circle});
    add_points(chart, all[i], i, strong);
  }
  chart.frame = {1000, 700, 110, 84, 40, 104};
  chart.frame = roofline::with_room_for_key(chart);
  chart.x = rank_axis(all);
  chart.y = value_axis(chart, strong);
  return chart;
}

}  // namespace

std::optional<Chart> make_strong_scaling(const std::vector<NamedStudy>& studies) {
  return make_scaling(studies, true);
}

std::optional<Chart> make_weak_scaling(const std::vector<NamedStudy>& studies) {
  return make_scaling(studies, false);
}

}  // namespace gpp
