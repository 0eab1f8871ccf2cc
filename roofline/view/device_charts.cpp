// Draws steps under roofs: the hierarchical roofline, times as columns, and the time plane.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/text.h"
#include "roofline/view/axes.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

const std::string compute = "compute";
constexpr const char* computed = "computed, not counted by hardware";

bool any_analytic(const RooflineChart& chart) {
  return std::ranges::any_of(chart.steps, [](const Step& step) { return step.point.analytic; });
}

/// The height of a step's markers: the rate; for instructions, without those predicated off.
double height_of(const Step& step) {
  return step.point.active_per_s.value_or(step.point.flop_per_s);
}

std::string share_text(double part) { return fmt::format("{:.3g}%", 100 * part); }

Tags tags_of(const Step& step, const std::string& level = {}) {
  Tags tags = {{"variant", step.label}};
  if (!level.empty() && level != compute) tags.push_back({"level", level});
  return tags;
}

/// A step's mark for a level, or for its arithmetic.
ChartMark mark_of(const Step& step, const char* item, const std::string& level, ChartPoint at) {
  const auto [colour, shape] = level_style(level);
  ChartMark mark{{item, level, step.label, colour, tags_of(step, level)}, at};
  mark.headline = step.title.empty() ? step.label : step.title;
  mark.source = step.point.analytic ? "analytic" : "counted";
  mark.shape = shape;
  mark.hollow = step.point.analytic;
  return mark;
}

// ---- The hierarchical roofline ------------------------------------------------------------------

/// The ends of the visible part of a roof: a bandwidth from the axes up to the peak, a compute roof
/// from the steepest bandwidth to the right. Empty if it is outside of the axes, or not known.
std::vector<ChartPoint> visible_part(const RooflineChart& chart, const Roof& roof,
                                     bool theoretical = false) {
  const auto value = [theoretical](const Roof& one) {
    return theoretical ? one.theoretical.value_or(one.measured) : one.measured;
  };
  const double rate = value(roof);
  if (!drawable(rate) || (theoretical && !roof.theoretical)) return {};
  if (roof.kind == CeilingKind::compute) {
    const double left = std::max(chart.intensity.low, rate / value(chart.roofs.front()));
    if (!(left < chart.intensity.high) || rate < chart.flop_per_s.low ||
        rate > chart.flop_per_s.high)
      return {};
    return {{left, rate}, {chart.intensity.high, rate}};
  }
  const double left = std::max(chart.intensity.low, chart.flop_per_s.low / rate);
  const double right = std::min(chart.intensity.high, value(chart.top()) / rate);
  if (!(left < right)) return {};
  return {{left, left * rate}, {right, right * rate}};
}

void add_roof(Chart& chart, const RooflineChart& from, const Roof& roof) {
  const bool flat = roof.kind == CeilingKind::compute;
  const std::string measured = with_prefix(roof.measured, roof.unit);
  ChartLine line{{roof.thin ? "thin roof" : "roof", roof.name, roof.label}};
  line.colour = roof.thin ? "ink-soft" : flat ? "ink" : level_style(roof.name).colour;
  if (!flat && !roof.thin) line.tags = {{"level", roof.name}};
  line.headline = fmt::format("{} of {}", roof.label, from.device);
  line.facts = {{"measured", measured}};
  line.width = roof.thin ? 1 : 2.8;
  if (roof.theoretical) {
    line.facts.push_back({"theoretical", with_prefix(*roof.theoretical, roof.unit)});
    ChartLine dashed = line;
    dashed.item = "theoretical";
    dashed.points = visible_part(from, roof, true);
    dashed.width = roof.thin ? 0.8 : 1.5;
    dashed.dash = "dash";
    if (!dashed.points.empty()) chart.lines.push_back(dashed);
  }
  line.points = visible_part(from, roof);
  line.label = roof.label + " " + measured;
  if (!line.points.empty()) chart.lines.push_back(std::move(line));
}

/// Draws walls from the axis to their level's roof, with names along the lines.
void add_walls(Chart& chart, const RooflineChart& from) {
  for (const Wall& wall : from.model.walls)
    for (const Roof& roof : from.roofs) {
      const double top = std::min(from.peak(), wall.intensity * roof.measured);
      if (roof.name != wall.level || top <= chart.y.low) continue;
      ChartLine line{{"wall", "wall", wall.label, "ink-soft"}};
      line.headline = wall.label + ", a pattern of access";
      line.facts = {
          {"intensity", fmt::format("{:.3g} {}", wall.intensity, intensity_unit(from.model))},
          {"at most", with_prefix(top, from.model.rate_unit())}};
      line.label = wall.label;
      line.points = {{wall.intensity, chart.y.low}, {wall.intensity, top}};
      line.dash = "dash";
      chart.lines.push_back(std::move(line));
    }
}

/// What is the same at all levels is told at the outermost one alone.
HoverFacts facts_of(const RooflineChart& from, const Step& step, const LevelPoint& level) {
  const RooflinePoint& point = step.point;
  const Model& model = from.model;
  const auto rate = [&model](double value) { return with_prefix(value, model.rate_unit()); };
  HoverFacts facts = {
      {"rate", rate(height_of(step))},
      {"time", with_prefix(point.seconds, "s")},
      {"intensity", fmt::format("{:.3g} {}", level.intensity, intensity_unit(model))},
      {"moved", with_prefix(level.bytes, model.counts_transactions() ? "txn" : "B")},
      {"of this roof", share_text(level.percent / 100)}};
  if (point.analytic) facts.push_back({"source", computed});
  if (level.level != from.levels.back()) return facts;
  if (step.launches) facts.push_back({"launches", std::to_string(*step.launches)});
  if (point.active_per_s)
    facts.push_back({"with lanes that were switched off", rate(point.flop_per_s)});
  if (const auto wall = nearest_wall(point, model))
    facts.push_back({"nearest wall", fmt::format("{:.2f}x {}", wall->ratio, wall->wall.label)});
  const std::string by = point.bound_by == compute ? compute : level_label(from, point.bound_by);
  facts.push_back(
      {"nearest roof", fmt::format("{}, {} of it", by, share_text(point.percent_of_roof / 100))});
  facts.insert(facts.end(), step.facts.begin(), step.facts.end());
  if (point.fma_mix_ceiling) facts.push_back({"roof of its FMA mix", rate(*point.fma_mix_ceiling)});
  return facts;
}

/// Draws the marks of one level, and lines between those of consecutive steps.
void add_level(Chart& chart, const RooflineChart& from, const std::string& level) {
  std::optional<ChartPoint> before;
  for (const Step& step : from.steps) {
    const LevelPoint* at = step.point.find_level(level);
    if (at == nullptr) {
      before.reset();
      continue;
    }
    ChartMark mark = mark_of(step, "point", level, {at->intensity, height_of(step)});
    mark.headline += " at " + level_label(from, level);
    if (step.point.active_per_s) {  // the height if all lanes were active
      ChartMark dash = mark;
      dash.item = "dash";
      dash.at.y = step.point.flop_per_s;
      dash.shape = Shape::bar;
      dash.hollow = false;
      chart.marks.push_back(std::move(dash));
    }
    mark.facts = facts_of(from, step, *at);
    mark.label = step.label;
    if (before && from.in_order)
      chart.lines.push_back(
          {{"link", level, step.label, mark.colour, mark.tags}, {*before, mark.at}, 0.8});
    before = mark.at;
    chart.marks.push_back(std::move(mark));
  }
}

/// The key: marks of levels, and meanings of lines and fillings, as far as they occur.
std::vector<ChartKey> roofline_key(const RooflineChart& from) {
  std::vector<ChartKey> key;
  for (const std::string& level : from.levels) {
    const auto [colour, shape] = level_style(level);
    key.push_back({level_label(from, level), colour, shape, false, "", {{"level", level}}});
  }
  if (any_analytic(from)) key.push_back({from.hollow, "ink-soft", Shape::circle, true});
  if (std::ranges::any_of(from.steps, [](const Step& s) { return bool(s.point.active_per_s); }))
    key.push_back({"dash: with lanes that were switched off", "ink-soft", Shape::bar});
  if (!from.model.walls.empty())
    key.push_back({"wall: a pattern of access", "ink-soft", {}, false, "dash"});
  key.push_back({"roof, measured", "ink-soft"});
  if (from.any_theoretical()) key.push_back({"theoretical", "ink-soft", {}, false, "dash"});
  return key;
}

// ---- Times --------------------------------------------------------------------------------------

/// What a step needs time for: the arithmetic, if there is any, and every level.
std::vector<std::string> needs(const RooflineChart& from) {
  std::vector<std::string> names = from.levels;
  if (!from.model.moves) names.insert(names.begin(), compute);
  return names;
}

double seconds_needed(const Step& step, const std::string& need) {
  if (need == compute) return step.point.compute_seconds;
  const LevelPoint* level = step.point.find_level(need);
  return level == nullptr ? 0 : level->seconds;
}

std::string need_label(const RooflineChart& from, const std::string& need) {
  return need == compute ? from.model.title + " peak" : level_label(from, need);
}

/// Adds a step's bar, with a mark for each time that it needs.
void add_column(Chart& chart, const RooflineChart& from, const Step& step, double middle) {
  constexpr double half = 0.31;
  const double taken = step.point.seconds;
  ChartBox bar{{"taken", "", step.label, "box", tags_of(step)},
               middle - half,
               chart.y.low,
               middle + half,
               taken};
  bar.headline = step.title.empty() ? step.label : step.title;
  bar.facts = {{"measured", with_prefix(taken, "s")}};
  const std::vector<std::string> all = needs(from);
  double aside = -0.5 * static_cast<double>(all.size() - 1);
  for (const std::string& need : all) {
    const double seconds = seconds_needed(step, need);
    const double x = middle + 0.12 * aside++;  // side by side, so that all are visible
    if (!(seconds > 0)) continue;
    bar.facts.push_back({need_label(from, need) + " needs at least", with_prefix(seconds, "s")});
    if (seconds < chart.y.low) continue;  // below the axis: the bar's text tells it
    ChartMark mark = mark_of(step, "needed", need, {x, seconds});
    mark.facts = {bar.facts.back(), {"of the measured time", share_text(seconds / taken)}};
    if (step.point.analytic) mark.facts.push_back({"source", computed});
    chart.marks.push_back(std::move(mark));
  }
  chart.boxes.push_back(std::move(bar));
  chart.labels.push_back({with_prefix(taken, "s"), {middle, taken}, 0, 12, "ink"});
}

std::vector<ChartKey> time_key(const RooflineChart& from) {
  std::vector<ChartKey> key = {{"time taken", "box", Shape::square}};
  for (const std::string& need : needs(from)) {
    const auto [colour, shape] = level_style(need);
    key.push_back({"needed by " + need_label(from, need), colour, shape});
    if (need != compute) key.back().tags = {{"level", need}};
  }
  if (any_analytic(from)) key.push_back({"analytic, not counted", "ink-soft", Shape::circle, true});
  return key;
}

// ---- The time plane -----------------------------------------------------------------------------

/// Adds a step's marks: the times that it needs, of arithmetic across and of bytes up, and these
/// scaled so that the longer one is the measured time. Nothing without both.
void add_plane_step(Chart& chart, const RooflineChart& from, const Step& step) {
  const std::string& level = from.levels.back();
  const std::string label = level_label(from, level);
  const double across = step.point.compute_seconds, up = seconds_needed(step, level);
  if (!(across > 0) || !(up > 0)) return;
  const double scale = step.point.seconds / std::max(across, up);
  ChartMark least = mark_of(step, "complexity", level, {across, up});
  least.tags = tags_of(step);
  least.hollow = false;
  ChartMark taken = least;
  taken.item = "taken";
  taken.at = {across * scale, up * scale};
  taken.source = "measured";
  taken.hollow = true;
  taken.label = step.label;
  taken.facts = {{"time taken", with_prefix(step.point.seconds, "s")},
                 {"operations need", with_prefix(across, "s")},
                 {fmt::format("bytes of {} need", label), with_prefix(up, "s")},
                 {"held by", across >= up ? compute : label},
                 {"source", step.point.analytic ? computed : "counted by hardware"}};
  if (step.launches) taken.facts.push_back({"launches", std::to_string(*step.launches)});
  chart.lines.push_back(
      {{"link", level, step.label, least.colour, least.tags}, {least.at, taken.at}, 1.2, "dot"});
  chart.marks.push_back(std::move(least));
  chart.marks.push_back(std::move(taken));
}

std::vector<ChartKey> plane_key(const RooflineChart& from) {
  const auto [colour, shape] = level_style(from.levels.back());
  std::vector<ChartKey> key = {{"operations and bytes, at the roofs", colour, shape},
                               {"time taken", colour, shape, true},
                               {"both times equal", "ink-soft", {}, false, "dash"}};
  if (any_analytic(from))
    key.push_back({"some are computed, not counted", "ink-soft", Shape::circle});
  return key;
}

}  // namespace

Chart make_roofline(const RooflineChart& from, const std::string& name,
                    const std::string& subtitle) {
  const bool instructions = from.model.counts_transactions();
  const std::string what = instructions ? "Instruction roofline" : "Hierarchical roofline",
                    kind = instructions ? "instruction" : "arithmetic",
                    model = instructions ? ", " + in_lower_case(from.model.title) : "";
  Chart chart{file_stem(name), fmt::format("{}{}: {}", what, model, from.device), subtitle,
              fmt::format("{}: rate over {} intensity at each level of memory", what, kind)};
  chart.x = log_axis(kind + " intensity: " + from.model.across, intensity_unit(from.model),
                     from.intensity);
  chart.y = log_axis(from.model.up, from.model.rate_unit(), from.flop_per_s);
  for (const Step& step : from.steps)
    if (std::ranges::find(chart.steps, step.label) == chart.steps.end())
      chart.steps.push_back(step.label);
  chart.key = roofline_key(from);
  chart.notes = from.notes;
  add_walls(chart, from);
  for (const Roof& roof : from.roofs) add_roof(chart, from, roof);
  for (const std::string& level : from.levels) add_level(chart, from, level);
  finish(chart);
  return chart;
}

Chart make_times(const RooflineChart& from, const std::string& name, const std::string& subtitle) {
  Chart chart{file_stem(name), "Time taken and time needed: " + from.device, subtitle,
              "Measured time of each step beside the least time each resource needs"};
  chart.frame = {1200, 700, 118, 100, 30, 104};
  chart.key = time_key(from);
  chart.notes = {"Below each step: the longest time needed, and its share of the time taken."};
  std::vector<std::string> names;
  Range seconds = empty_range;
  for (const Step& step : from.steps) {
    names.push_back(fmt::format("{}\n{}\n{:.0f}%", step.label,
                                need_label(from, step.point.bound_by), step.point.percent_of_roof));
    seconds.hold(step.point.seconds);
    for (const std::string& need : needs(from))
      if (const double needed = seconds_needed(step, need); needed > 0) seconds.hold(needed);
  }
  chart.x = category_axis(names);
  // Marks below a ten-thousandth of the longest time would leave no room for others.
  chart.y = log_axis(
      "", "s", round_range(std::max(seconds.low, seconds.high * 1e-4) / 1.4, seconds.high * 1.5));
  double middle = 0;
  for (const Step& step : from.steps) add_column(chart, from, step, middle++);
  finish(chart);
  return chart;
}

std::optional<Chart> make_plane(const RooflineChart& from, const std::string& name,
                                const std::string& subtitle) {
  Chart chart{
      file_stem(name), "Time plane: " + from.device, subtitle,
      "Time plane: time of the bytes over time of the arithmetic, at the roofs and as taken"};
  for (const Step& step : from.steps) {
    chart.steps.push_back(step.label);
    add_plane_step(chart, from, step);
  }
  if (chart.marks.empty()) return std::nullopt;
  Range range = empty_range;
  for (const ChartMark& mark : chart.marks)
    for (const double seconds : {mark.at.x, mark.at.y}) range.hold(seconds);
  const auto [low, high] = round_range(range.low / 1.4, range.high * 1.4);
  chart.frame = {1200, 860, 132, 108, 50, 108};
  chart.key = plane_key(from);
  chart.x = log_axis(fmt::format("compute time: {} operations at {}", from.model.title,
                                 with_prefix(from.peak(), from.model.rate_unit())),
                     "s", {low, high});
  chart.y = log_axis("bandwidth time: bytes of " + level_label(from, from.levels.back()), "s",
                     {low, high});
  chart.lines.push_back(
      {{"balance", "balance", "", "ink-soft"}, {{low, low}, {high, high}}, 1.4, "dash"});
  finish(chart);
  return chart;
}

}  // namespace roofline
