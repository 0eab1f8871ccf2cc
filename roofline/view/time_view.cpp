// Draws required and measured times of steps: as columns, and on the time plane.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "roofline/base/units.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

const std::string compute = "compute";
/// Boxes farther below the smallest mark than this are only mentioned, because they would leave no
/// room for marks.
constexpr double farthest_box = 1000;
/// If there are more boxes, only the smallest and the largest are drawn.
constexpr std::size_t most_boxes = 3;

/// The arithmetic, if there is any, and every level, in the order of the key.
std::vector<std::string> needs(const RooflineChart& chart) {
  std::vector<std::string> names;
  if (!chart.model.moves) names.push_back(compute);
  names.insert(names.end(), chart.levels.begin(), chart.levels.end());
  return names;
}

double seconds_needed(const Step& step, const std::string& need) {
  if (need == compute) return step.point.compute_seconds;
  const LevelPoint* level = step.point.find_level(need);
  return level == nullptr ? 0 : level->seconds;
}

std::string need_label(const RooflineChart& chart, const std::string& need) {
  return need == compute ? chart.model.title + " peak" : level_label(chart, need);
}

std::string title_of(const Step& step) { return step.title.empty() ? step.label : step.title; }

std::string colour_of(const ChartSeries& series, const std::string& level) {
  return series.title.empty() ? level_style(level).colour : series_colour(series.colour);
}

Tags tags_of(const ChartSeries& series, const Step& step, const std::string& level) {
  Tags tags = series.tags;
  if (!level.empty() && level != compute) tags.push_back({"level", level});
  tags.push_back({"variant", step.label});
  return tags;
}

std::string source_text(const RooflinePoint& point) {
  return point.analytic ? "computed, not counted by hardware" : "counted by hardware";
}

/// The positions of all series' steps along the axis; parts of steps have none.
class TimeColumns {
 public:
  explicit TimeColumns(const std::vector<ChartSeries>& all) : all_(all) {
    for (const ChartSeries& series : all)
      for (const Step& step : series.chart.steps)
        if (!step.part && std::ranges::find(labels_, step.label) == labels_.end())
          labels_.push_back(step.label);
  }

  void add_to(Chart& chart) const {
    for (std::size_t i = 0; i < all_.size(); ++i)
      for (const Step& step : all_[i].chart.steps)
        if (!step.part) add_step(chart, i, step);
  }

  /// The range includes marks down to a ten-thousandth of the longest time.
  Range seconds() const {
    double shortest = INFINITY, longest = 0;
    for (const ChartSeries& series : all_)
      for (const Step& step : series.chart.steps) {
        if (step.part) continue;
        longest = std::max(longest, step.point.seconds);
        for (const std::string& need : needs(series.chart))
          if (const double needed = seconds_needed(step, need); needed > 0)
            shortest = std::min(shortest, needed);
      }
    return round_range(std::max(shortest, longest * 1e-4) / 1.4, longest * 1.5);
  }

  /// Names such as "v9"; for a single series, followed by the limit and how near it is.
  std::vector<std::string> names() const {
    if (all_.size() > 1) return labels_;
    std::vector<std::string> names;
    for (const Step& step : all_.front().chart.steps)
      if (!step.part)
        names.push_back(fmt::format("{}\n{}\n{:.0f}%", step.label,
                                    need_label(all_.front().chart, step.point.bound_by),
                                    step.point.percent_of_roof));
    return names;
  }

 private:
  void add_step(Chart& chart, std::size_t index, const Step& step) const;

  const std::vector<ChartSeries>& all_;
  std::vector<std::string> labels_;
};

void TimeColumns::add_step(Chart& chart, std::size_t index, const Step& step) const {
  const ChartSeries& series = all_[index];
  const double room = 0.8 / static_cast<double>(all_.size());  // width of a series between steps
  const double middle =
      static_cast<double>(std::ranges::find(labels_, step.label) - labels_.begin()) +
      room * (static_cast<double>(index) - (static_cast<double>(all_.size()) - 1) / 2);
  const double half = 0.39 * room;
  const double taken = step.point.seconds;
  HoverFacts facts = {{"on", series.title.empty() ? series.chart.device : series.title},
                      {"measured", with_prefix(taken, "s")}};
  const std::vector<std::string> all_needs = needs(series.chart);
  double aside = -0.5 * static_cast<double>(all_needs.size() - 1);
  for (const std::string& need : all_needs) {
    const double seconds = seconds_needed(step, need);
    const double x = middle + room * 0.15 * aside++;  // side by side, so that all are visible
    if (!(seconds > 0)) continue;
    const std::string name = need_label(series.chart, need);
    facts.push_back({name + " needs at least", with_prefix(seconds, "s")});
    ChartMark mark;
    mark.at = {x, seconds};
    mark.item = "needed";
    mark.of = need;
    mark.source = step.point.analytic ? "analytic" : "counted";
    mark.shape = level_style(need).shape;
    mark.hollow = step.point.analytic;
    mark.small = all_.size() > 2;
    mark.colour = level_style(need).colour;
    mark.name = step.label;
    mark.headline = title_of(step);
    mark.facts = {facts[0],
                  facts[1],
                  facts.back(),
                  {"of the measured time", fmt::format("{:.3g}%", 100 * seconds / taken)},
                  {"source", source_text(step.point)}};
    mark.tags = tags_of(series, step, need);
    chart.marks.push_back(std::move(mark));
  }
  chart.boxes.push_back({middle - half, chart.y.low, middle + half, taken, "taken", series.title,
                         step.label, series.title.empty() ? "box" : series_colour(series.colour),
                         title_of(step), facts, tags_of(series, step, "")});
  if (all_.size() == 1)
    chart.labels.push_back({.text = with_prefix(taken, "s"),
                            .at = {middle, taken},
                            .dy = 12,
                            .small = true,
                            .colour = "ink",
                            .tags = series.tags});
}

std::vector<ChartKey> time_key(const std::vector<ChartSeries>& all) {
  std::vector<ChartKey> key;
  std::set<std::string> met;
  bool analytic = false, counted = false;
  for (const ChartSeries& series : all) {
    analytic |= series.chart.any_analytic();
    counted |= series.chart.any_counted();
  }
  for (const ChartSeries& series : all)
    key.push_back(series.title.empty()
                      ? ChartKey{"time taken", "box", Shape::square}
                      : ChartKey{series.title, series_colour(series.colour), Shape::square});
  for (const ChartSeries& series : all)
    for (const std::string& need : needs(series.chart))
      if (met.insert(need).second)
        key.push_back({"needed by " + need_label(series.chart, need), level_style(need).colour,
                       level_style(need).shape, !counted, "", need});
  if (analytic) key.push_back({"analytic, not counted", "ink-soft", Shape::circle, true});
  return key;
}

/// Scales both times so that the longer one is the measured time.
PlanePlace place_taken(const PlanePlace& least, double seconds) {
  const double longest = std::max(least.compute, least.bandwidth);
  return {least.compute / longest * seconds, least.bandwidth / longest * seconds};
}

std::string box_text(const LaunchBox& box) {
  return fmt::format("{} of {}", with_prefix(box.seconds, "s"),
                     box.launches == 1 ? "a launch" : fmt::format("{} launches", box.launches));
}

/// Adds a box for each number of launches; unknown numbers count as one.
void add_boxes(const RooflineChart& chart, TimePlane& plane) {
  if (!chart.launch) {
    plane.notes.push_back(chart.kind == "host"
                              ? "No box of launches: nothing is launched on a processor"
                              : "No box of launches: what one costs was not measured when this was "
                                "recorded");
    return;
  }
  std::set<std::size_t> numbers;
  std::vector<std::string> labels;
  std::vector<std::size_t> unknown;
  for (const Step& step : chart.steps) labels.push_back(step.label);
  for (const PlaneStep& one : plane.steps) {
    const std::optional<std::size_t>& launches = chart.steps[one.step].launches;
    numbers.insert(launches.value_or(1));
    if (!launches) unknown.push_back(one.step);
  }
  for (const std::size_t number : numbers)
    plane.boxes.push_back({number, static_cast<double>(number) * chart.launch->seconds});
  if (plane.boxes.size() > most_boxes) plane.boxes = {plane.boxes.front(), plane.boxes.back()};
  if (!unknown.empty())
    plane.notes.push_back(fmt::format("How often {} launch{} is not known: taken as once",
                                      label_range(labels, unknown),
                                      unknown.size() == 1 ? "es" : ""));
}

void choose_range(TimePlane& plane) {
  double least = INFINITY, most = 0;
  for (const PlaneStep& one : plane.steps)
    for (const PlanePlace& place : {one.complexity, one.taken}) {
      least = std::min({least, place.compute, place.bandwidth});
      most = std::max({most, place.compute, place.bandwidth});
    }
  std::vector<std::string> far;
  std::erase_if(plane.boxes, [&](const LaunchBox& box) {
    if (box.seconds >= least / farthest_box) return false;
    far.push_back(box_text(box));
    return true;
  });
  if (!far.empty())
    plane.notes.push_back(
        fmt::format("Launching takes far less than is drawn: {}", fmt::join(far, ", ")));
  if (!plane.boxes.empty()) least = std::min(least, plane.boxes.front().seconds / 1.5);
  plane.seconds = round_range(least / 1.4, most * 1.4);
}

/// Draws the planes of several series with common axes.
class PlaneMaker {
 public:
  PlaneMaker(const std::vector<ChartSeries>& all, const std::string& level) : level_(level) {
    for (const ChartSeries& series : all)
      if (auto plane = time_plane(series.chart, level)) {
        if (!planes_.empty()) {
          plane->seconds.low = std::min(plane->seconds.low, range().low);
          plane->seconds.high = std::max(plane->seconds.high, range().high);
        }
        planes_.push_back(*std::move(plane));
        series_.push_back(&series);
      }
  }

  bool empty() const { return planes_.empty(); }
  /// The range of the last plane, which includes those of earlier planes.
  const Range& range() const { return planes_.back().seconds; }
  void add_to(Chart& chart);
  std::vector<ChartKey> key() const;
  std::string compute_title() const;
  std::string bandwidth_title() const;

 private:
  void add_boxes(Chart& chart, const ChartSeries& series, const TimePlane& plane);
  void add_step(Chart& chart, const ChartSeries& series, const PlaneStep& step);
  void add_run_times(Chart& chart) const;

  std::string level_;
  std::vector<TimePlane> planes_;
  std::vector<const ChartSeries*> series_;
  std::vector<NameOfLine> lines_;
};

void PlaneMaker::add_to(Chart& chart) {
  add_run_times(chart);
  std::vector<NamesOfMarks> all_names;
  std::set<std::string> machines;
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    const ChartSeries& series = *series_[i];
    if (machines.insert(series.machine).second) add_boxes(chart, series, planes_[i]);
    NamesOfMarks names;
    names.colour = colour_of(series, level_);
    names.tags = series.tags;
    for (const Step& step : series.chart.steps) names.names.push_back(step.label);
    names.places.resize(names.names.size());
    for (const PlaneStep& one : planes_[i].steps) {
      add_step(chart, series, one);
      names.places[one.step] = {one.taken.compute, one.taken.bandwidth};
    }
    all_names.push_back(names);
    for (const std::string& note : planes_[i].notes)
      if (std::ranges::find(chart.notes, note) == chart.notes.end()) chart.notes.push_back(note);
  }
  place_names(chart, lines_, all_names);
}

/// Draws the widest boxes first, so that narrower ones are visible, with names on top.
void PlaneMaker::add_boxes(Chart& chart, const ChartSeries& series, const TimePlane& plane) {
  const double low = range().low;
  Tags tags = series.machine.empty() ? Tags{} : Tags{{"machine", series.machine}};
  for (auto box = plane.boxes.rbegin(); box != plane.boxes.rend(); ++box) {
    const std::string text = box_text(*box);
    ChartBox drawn{low, low, box->seconds, box->seconds, "box", level_, text, "box"};
    drawn.headline = "Launching alone";
    drawn.facts = {{series.chart.device, text}};
    drawn.tags = tags;
    chart.boxes.push_back(std::move(drawn));
    const ChartPoint corner{box->seconds, box->seconds};
    lines_.push_back({text, "", {low, box->seconds}, corner, "ink-soft", -10, true, false, tags});
  }
}

void PlaneMaker::add_step(Chart& chart, const ChartSeries& series, const PlaneStep& one) {
  const Step& step = series.chart.steps[one.step];
  const std::string level = level_label(series.chart, level_);
  ChartMark mark;
  mark.at = {one.complexity.compute, one.complexity.bandwidth};
  mark.item = "complexity";
  mark.of = level_;
  mark.source = step.point.analytic ? "analytic" : "counted";
  mark.shape = level_style(level_).shape;
  mark.small = step.part;
  mark.colour = colour_of(series, level_);
  mark.name = step.label;
  mark.headline = title_of(step);
  mark.facts = {
      {"on", series.title.empty() ? series.chart.device : series.title},
      {"time taken", with_prefix(step.point.seconds, "s")},
      {"operations need", with_prefix(one.complexity.compute, "s")},
      {fmt::format("bytes of {} need", level), with_prefix(one.complexity.bandwidth, "s")},
      {"compute time", with_prefix(one.taken.compute, "s")},
      {"bandwidth time", with_prefix(one.taken.bandwidth, "s")},
      {"held by", one.complexity.compute >= one.complexity.bandwidth ? compute : level}};
  if (step.launches) {
    std::string launches = std::to_string(*step.launches);
    if (const auto& cost = series.chart.launch)
      launches +=
          fmt::format(", {} of them alone",
                      with_prefix(static_cast<double>(*step.launches) * cost->seconds, "s"));
    mark.facts.push_back({"launches", launches});
  }
  mark.facts.push_back({"source", source_text(step.point)});
  mark.tags = tags_of(series, step, level_);
  ChartMark taken = mark;
  taken.at = {one.taken.compute, one.taken.bandwidth};
  taken.item = "taken";
  taken.source = "measured";
  taken.hollow = true;
  chart.lines.push_back(plain_line({mark.at, taken.at}, "link", level_, step.label, mark.colour,
                                   1.2, "dot", mark.tags));
  chart.lines.back().between_marks = true;
  chart.marks.push_back(std::move(mark));
  chart.marks.push_back(std::move(taken));
}

/// Draws run-time lines with corners at the balance: the longer time is the run time.
void PlaneMaker::add_run_times(Chart& chart) const {
  const auto [low, high] = range();
  for (const double seconds : round_values(range()))
    chart.lines.push_back(plain_line({{low, seconds}, {seconds, seconds}, {seconds, low}},
                                     "run time", "run time", with_prefix(seconds, "s"), "grid",
                                     1.2));
  chart.lines.push_back(
      plain_line({{low, low}, {high, high}}, "balance", "balance", "", "ink-soft", 1.4, "dash"));
}

std::vector<ChartKey> PlaneMaker::key() const {
  const Shape shape = level_style(level_).shape;
  bool boxes = false, analytic = false, counted = false;
  std::vector<ChartKey> key;
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    boxes |= !planes_[i].boxes.empty();
    analytic |= series_[i]->chart.any_analytic();
    counted |= series_[i]->chart.any_counted();
    if (!series_[i]->title.empty())
      key.push_back({series_[i]->title, series_colour(series_[i]->colour)});
  }
  const std::string colour = key.empty() ? level_style(level_).colour : "ink-soft";
  key.push_back({"operations and bytes, at the roofs", colour, shape});
  key.push_back({"time taken", colour, shape, true});
  key.push_back({"equal run time", "box"});
  key.push_back({"both times equal", "ink-soft", {}, false, "dash"});
  if (boxes) key.push_back({"taken by launches alone", "box", Shape::square});
  if (analytic)
    key.push_back({counted ? "some operations and bytes are not counted but computed"
                           : "operations and bytes are not counted but computed",
                   "ink-soft", Shape::circle});
  return key;
}

/// "compute time: FP64 operations at 33.1 TFLOP/s"; several machines each use their own peak.
std::string PlaneMaker::compute_title() const {
  const RooflineChart& chart = series_.front()->chart;
  const std::string what = fmt::format("compute time: {} operations at ", chart.model.title);
  return what + (series_.size() > 1 ? "the measured peak"
                                    : with_prefix(chart.peak(), chart.model.rate_unit()));
}

std::string PlaneMaker::bandwidth_title() const {
  const RooflineChart& chart = series_.front()->chart;
  std::string text = fmt::format("bandwidth time: bytes of {}", level_label(chart, level_));
  if (series_.size() > 1) return text + " at its roof";
  for (const Roof& roof : chart.roofs)
    if (roof.name == level_) text += " at " + with_prefix(roof.measured, roof.unit);
  return text;
}

}  // namespace

Chart make_times(const std::vector<ChartSeries>& series, const std::string& name,
                 const std::string& subtitle) {
  const TimeColumns columns(series);
  Chart chart;
  chart.name = file_stem(name);
  chart.title = fmt::format("Time taken and time needed: {}", series.front().chart.device);
  chart.subtitle = subtitle;
  chart.description = "Measured time of each step beside the least time each resource needs";
  chart.key = time_key(series);
  chart.frame = {1200, 700, 118, 100, 30, 104};
  chart.frame = with_room_for_key(chart);
  chart.x = category_axis(columns.names());
  chart.y = log_axis("", "s", columns.seconds(), plot_of(chart.frame).height(), true);
  if (series.size() == 1)
    chart.notes = {"Below each step: the longest time needed, and its share of the time taken."};
  columns.add_to(chart);
  return chart;
}

std::string plane_level(const RooflineChart& chart) {
  const auto& levels = chart.levels;
  const bool has_dram = std::ranges::find(levels, "dram") != levels.end();
  return has_dram || levels.empty() ? "dram" : levels.back();
}

std::optional<TimePlane> time_plane(const RooflineChart& chart, const std::string& level) {
  TimePlane plane;
  plane.level = level;
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    const RooflinePoint& point = chart.steps[i].point;
    const LevelPoint* at = point.find_level(level);
    if (chart.steps[i].part || at == nullptr || !(at->seconds > 0) || !(point.compute_seconds > 0))
      continue;
    const PlanePlace least{point.compute_seconds, at->seconds};
    plane.steps.push_back({i, least, place_taken(least, point.seconds)});
  }
  if (plane.steps.empty()) return std::nullopt;
  add_boxes(chart, plane);
  choose_range(plane);
  return plane;
}

std::optional<Chart> make_plane(const std::vector<ChartSeries>& series, const std::string& level,
                                const std::string& name, const std::string& subtitle) {
  PlaneMaker maker(series, level);
  if (maker.empty()) return std::nullopt;
  Chart chart;
  chart.name = file_stem(name);
  chart.title = fmt::format("Time plane: {}", series.front().chart.device);
  chart.subtitle = subtitle;
  chart.description =
      "Time plane: time of the bytes over time of the arithmetic, at the roofs and as taken";
  chart.key = maker.key();
  chart.frame = {1200, 860, 132, 108, 50, 108};
  chart.frame = with_room_for_key(chart);
  const Box plot = plot_of(chart.frame);
  chart.x = log_axis(maker.compute_title(), "s", maker.range(), plot.width());
  chart.y = log_axis(maker.bandwidth_title(), "s", maker.range(), plot.height(), true);
  for (ChartAxis* axis : {&chart.x, &chart.y})
    std::erase_if(axis->ticks, [](const Tick& tick) { return tick.text.empty(); });
  maker.add_to(chart);
  return chart;
}

}  // namespace roofline
