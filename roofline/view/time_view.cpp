// Draws required and measured times of steps: as columns, and on the time plane.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

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

Tags tags_of(const Step& step, const std::string& level) {
  Tags tags = {{"variant", step.label}};
  if (!level.empty() && level != compute) tags.push_back({"level", level});
  return tags;
}

std::string source_text(const RooflinePoint& point) {
  return point.analytic ? "computed, not counted by hardware" : "counted by hardware";
}

/// The range includes marks down to a ten-thousandth of the longest time.
Range seconds_of(const RooflineChart& chart) {
  double shortest = INFINITY, longest = 0;
  for (const Step& step : chart.steps) {
    if (step.part) continue;
    longest = std::max(longest, step.point.seconds);
    for (const std::string& need : needs(chart))
      if (const double needed = seconds_needed(step, need); needed > 0)
        shortest = std::min(shortest, needed);
  }
  return round_range(std::max(shortest, longest * 1e-4) / 1.4, longest * 1.5);
}

/// Names such as "v9", followed by the limit and how near it is. Parts of steps have none.
std::vector<std::string> column_names(const RooflineChart& chart) {
  std::vector<std::string> names;
  for (const Step& step : chart.steps)
    if (!step.part)
      names.push_back(fmt::format("{}\n{}\n{:.0f}%", step.label,
                                  need_label(chart, step.point.bound_by),
                                  step.point.percent_of_roof));
  return names;
}

/// Adds a step's bar, with a mark for each time that it needs.
void add_column(Chart& chart, const RooflineChart& from, const Step& step, double middle) {
  constexpr double half = 0.39 * 0.8;
  const double taken = step.point.seconds;
  HoverFacts facts = {{"measured", with_prefix(taken, "s")}};
  const std::vector<std::string> all_needs = needs(from);
  double aside = -0.5 * static_cast<double>(all_needs.size() - 1);
  for (const std::string& need : all_needs) {
    const double seconds = seconds_needed(step, need);
    const double x = middle + 0.12 * aside++;  // side by side, so that all are visible
    if (!(seconds > 0)) continue;
    const std::string name = need_label(from, need);
    facts.push_back({name + " needs at least", with_prefix(seconds, "s")});
    ChartMark mark;
    mark.at = {x, seconds};
    mark.item = "needed";
    mark.of = need;
    mark.source = step.point.analytic ? "analytic" : "counted";
    mark.shape = level_style(need).shape;
    mark.hollow = step.point.analytic;
    mark.colour = level_style(need).colour;
    mark.name = step.label;
    mark.headline = title_of(step);
    mark.facts = {facts.back(),
                  {"of the measured time", fmt::format("{:.3g}%", 100 * seconds / taken)}};
    if (step.point.analytic) mark.facts.push_back({"source", source_text(step.point)});
    mark.tags = tags_of(step, need);
    chart.marks.push_back(std::move(mark));
  }
  chart.boxes.push_back({middle - half, chart.y.low, middle + half, taken, "taken", "", step.label,
                         "box", title_of(step), facts, tags_of(step, "")});
  chart.labels.push_back({.text = with_prefix(taken, "s"),
                          .at = {middle, taken},
                          .dy = 12,
                          .small = true,
                          .colour = "ink"});
}

std::vector<ChartKey> time_key(const RooflineChart& chart) {
  std::vector<ChartKey> key = {{"time taken", "box", Shape::square}};
  for (const std::string& need : needs(chart))
    key.push_back({"needed by " + need_label(chart, need), level_style(need).colour,
                   level_style(need).shape, !chart.any_counted(), "", need});
  if (chart.any_analytic())
    key.push_back({"analytic, not counted", "ink-soft", Shape::circle, true});
  return key;
}

/// A position on the time plane, in seconds.
struct PlanePlace {
  double compute = 0;
  double bandwidth = 0;
};

/// A step with its required and its measured times.
struct PlaneStep {
  const Step* step;
  PlanePlace least, taken;
};

/// Scales both times so that the longer one is the measured time.
PlanePlace place_taken(const PlanePlace& least, double seconds) {
  const double longest = std::max(least.compute, least.bandwidth);
  return {least.compute / longest * seconds, least.bandwidth / longest * seconds};
}

class PlaneMaker {
 public:
  PlaneMaker(const RooflineChart& from, const std::string& level);

  bool empty() const { return steps_.empty(); }
  Chart chart(const std::string& name, const std::string& subtitle);

 private:
  double launching(std::size_t launches) const {
    return static_cast<double>(launches) * from_.launch->seconds;
  }
  std::string box_text(std::size_t launches) const {
    return fmt::format("{} of {}", with_prefix(launching(launches), "s"),
                       launches == 1 ? "a launch" : fmt::format("{} launches", launches));
  }
  void choose_boxes();
  void choose_range();
  std::vector<ChartKey> key() const;
  std::string bandwidth_title() const;
  void add_run_times(Chart& chart) const;
  void add_boxes(Chart& chart);
  void add_step(Chart& chart, const PlaneStep& step) const;

  const RooflineChart& from_;
  const std::string& level_;
  std::vector<PlaneStep> steps_;
  std::vector<std::size_t> boxes_;  ///< numbers of launches, fewest first
  std::vector<std::string> notes_;  ///< reasons for missing boxes; items too far away
  Range seconds_;                   ///< range of both axes
  std::vector<NameOfLine> lines_;
};

PlaneMaker::PlaneMaker(const RooflineChart& from, const std::string& level)
    : from_(from), level_(level) {
  for (const Step& step : from.steps) {
    const LevelPoint* at = step.point.find_level(level);
    if (step.part || at == nullptr || !(at->seconds > 0) || !(step.point.compute_seconds > 0))
      continue;
    const PlanePlace least{step.point.compute_seconds, at->seconds};
    steps_.push_back({&step, least, place_taken(least, step.point.seconds)});
  }
  choose_boxes();
  choose_range();
}

/// Chooses a box for each number of launches; unknown numbers count as one.
void PlaneMaker::choose_boxes() {
  if (!from_.launch) {
    notes_.push_back(from_.kind == "host"
                         ? "No box of launches: nothing is launched on a processor"
                         : "No box of launches: what one costs was not measured when this was "
                           "recorded");
    return;
  }
  std::set<std::size_t> numbers;
  std::vector<std::string> labels;
  std::vector<std::size_t> unknown;
  for (const Step& step : from_.steps) labels.push_back(step.label);
  for (const PlaneStep& one : steps_) {
    numbers.insert(one.step->launches.value_or(1));
    if (!one.step->launches)
      unknown.push_back(static_cast<std::size_t>(one.step - from_.steps.data()));
  }
  boxes_.assign(numbers.begin(), numbers.end());
  if (boxes_.size() > most_boxes) boxes_ = {boxes_.front(), boxes_.back()};
  if (!unknown.empty())
    notes_.push_back(fmt::format("How often {} launch{} is not known: taken as once",
                                 label_range(labels, unknown), unknown.size() == 1 ? "es" : ""));
}

void PlaneMaker::choose_range() {
  double least = INFINITY, most = 0;
  for (const PlaneStep& one : steps_)
    for (const PlanePlace& place : {one.least, one.taken}) {
      least = std::min({least, place.compute, place.bandwidth});
      most = std::max({most, place.compute, place.bandwidth});
    }
  std::vector<std::string> far;
  std::erase_if(boxes_, [&](std::size_t launches) {
    if (launching(launches) >= least / farthest_box) return false;
    far.push_back(box_text(launches));
    return true;
  });
  if (!far.empty())
    notes_.push_back(
        fmt::format("Launching takes far less than is drawn: {}", fmt::join(far, ", ")));
  if (!boxes_.empty()) least = std::min(least, launching(boxes_.front()) / 1.5);
  seconds_ = round_range(least / 1.4, most * 1.4);
}

/// Draws the widest boxes first, so that narrower ones are visible, with names on top.
void PlaneMaker::add_boxes(Chart& chart) {
  const double low = seconds_.low;
  for (auto box = boxes_.rbegin(); box != boxes_.rend(); ++box) {
    const std::string text = box_text(*box);
    const double side = launching(*box);
    ChartBox drawn{low, low, side, side, "box", level_, text, "box", "Launching alone"};
    drawn.facts = {{from_.device, text}};
    chart.boxes.push_back(std::move(drawn));
    lines_.push_back({text, {low, side}, ChartPoint{side, side}, "ink-soft", -10, true});
  }
}

void PlaneMaker::add_step(Chart& chart, const PlaneStep& one) const {
  const Step& step = *one.step;
  const std::string level = level_label(from_, level_);
  ChartMark mark;
  mark.at = {one.least.compute, one.least.bandwidth};
  mark.item = "complexity";
  mark.of = level_;
  mark.source = step.point.analytic ? "analytic" : "counted";
  mark.shape = level_style(level_).shape;
  mark.colour = level_style(level_).colour;
  mark.name = step.label;
  mark.headline = title_of(step);
  mark.tags = tags_of(step, "");
  ChartMark taken = mark;
  taken.at = {one.taken.compute, one.taken.bandwidth};
  taken.item = "taken";
  taken.source = "measured";
  taken.hollow = true;
  taken.facts = {{"time taken", with_prefix(step.point.seconds, "s")},
                 {"operations need", with_prefix(one.least.compute, "s")},
                 {fmt::format("bytes of {} need", level), with_prefix(one.least.bandwidth, "s")},
                 {"compute time", with_prefix(one.taken.compute, "s")},
                 {"bandwidth time", with_prefix(one.taken.bandwidth, "s")},
                 {"held by", one.least.compute >= one.least.bandwidth ? compute : level}};
  if (step.launches) {
    std::string launches = std::to_string(*step.launches);
    if (from_.launch)
      launches += fmt::format(", {} of them alone", with_prefix(launching(*step.launches), "s"));
    taken.facts.push_back({"launches", launches});
  }
  taken.facts.push_back({"source", source_text(step.point)});
  chart.lines.push_back(plain_line({mark.at, taken.at}, "link", level_, step.label, mark.colour,
                                   1.2, "dot", mark.tags));
  chart.lines.back().between_marks = true;
  chart.marks.push_back(std::move(mark));
  chart.marks.push_back(std::move(taken));
}

/// Draws run-time lines with corners at the balance: the longer time is the run time.
void PlaneMaker::add_run_times(Chart& chart) const {
  const auto [low, high] = seconds_;
  for (const double seconds : round_values(seconds_))
    chart.lines.push_back(plain_line({{low, seconds}, {seconds, seconds}, {seconds, low}},
                                     "run time", "run time", with_prefix(seconds, "s"), "grid",
                                     1.2));
  chart.lines.push_back(
      plain_line({{low, low}, {high, high}}, "balance", "balance", "", "ink-soft", 1.4, "dash"));
}

std::vector<ChartKey> PlaneMaker::key() const {
  const auto [colour, shape] = level_style(level_);
  std::vector<ChartKey> key = {{"operations and bytes, at the roofs", colour, shape},
                               {"time taken", colour, shape, true},
                               {"equal run time", "box"},
                               {"both times equal", "ink-soft", {}, false, "dash"}};
  if (!boxes_.empty()) key.push_back({"taken by launches alone", "box", Shape::square});
  if (from_.any_analytic())
    key.push_back({from_.any_counted() ? "some operations and bytes are not counted but computed"
                                       : "operations and bytes are not counted but computed",
                   "ink-soft", Shape::circle});
  return key;
}

std::string PlaneMaker::bandwidth_title() const {
  std::string text = fmt::format("bandwidth time: bytes of {}", level_label(from_, level_));
  for (const Roof& roof : from_.roofs)
    if (roof.name == level_) text += " at " + with_prefix(roof.measured, roof.unit);
  return text;
}

Chart PlaneMaker::chart(const std::string& name, const std::string& subtitle) {
  Chart chart;
  chart.name = file_stem(name);
  chart.title = fmt::format("Time plane: {}", from_.device);
  chart.subtitle = subtitle;
  chart.description =
      "Time plane: time of the bytes over time of the arithmetic, at the roofs and as taken";
  chart.key = key();
  chart.frame = {1200, 860, 132, 108, 50, 108};
  chart.frame = with_room_for_key(chart);
  const Box plot = plot_of(chart.frame);
  chart.x = log_axis(fmt::format("compute time: {} operations at {}", from_.model.title,
                                 with_prefix(from_.peak(), from_.model.rate_unit())),
                     "s", seconds_, plot.width());
  chart.y = log_axis(bandwidth_title(), "s", seconds_, plot.height(), true);
  for (ChartAxis* axis : {&chart.x, &chart.y})
    std::erase_if(axis->ticks, [](const Tick& tick) { return tick.text.empty(); });
  chart.notes = notes_;
  add_run_times(chart);
  add_boxes(chart);
  NamesOfMarks names;
  names.colour = level_style(level_).colour;
  for (const Step& step : from_.steps) names.names.push_back(step.label);
  names.places.resize(names.names.size());
  for (const PlaneStep& one : steps_) {
    add_step(chart, one);
    names.places[static_cast<std::size_t>(one.step - from_.steps.data())] = {one.taken.compute,
                                                                             one.taken.bandwidth};
  }
  place_names(chart, lines_, {names});
  return chart;
}

}  // namespace

Chart make_times(const RooflineChart& from, const std::string& name, const std::string& subtitle) {
  Chart chart;
  chart.name = file_stem(name);
  chart.title = fmt::format("Time taken and time needed: {}", from.device);
  chart.subtitle = subtitle;
  chart.description = "Measured time of each step beside the least time each resource needs";
  chart.key = time_key(from);
  chart.frame = {1200, 700, 118, 100, 30, 104};
  chart.frame = with_room_for_key(chart);
  chart.x = category_axis(column_names(from));
  chart.y = log_axis("", "s", seconds_of(from), plot_of(chart.frame).height(), true);
  chart.notes = {"Below each step: the longest time needed, and its share of the time taken."};
  double middle = 0;
  for (const Step& step : from.steps)
    if (!step.part) add_column(chart, from, step, middle++);
  return chart;
}

std::string plane_level(const RooflineChart& chart) {
  const auto& levels = chart.levels;
  const bool has_dram = std::ranges::find(levels, "dram") != levels.end();
  return has_dram || levels.empty() ? "dram" : levels.back();
}

std::optional<Chart> make_plane(const RooflineChart& from, const std::string& level,
                                const std::string& name, const std::string& subtitle) {
  PlaneMaker maker(from, level);
  if (maker.empty()) return std::nullopt;
  return maker.chart(name, subtitle);
}

}  // namespace roofline
