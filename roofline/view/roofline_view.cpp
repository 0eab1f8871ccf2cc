#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

/// Returns "33.1 of 33.5 TFLOP/s", measured of theoretical, or only the measured value.
std::string roof_value(const Roof& roof) {
  const std::string measured = with_prefix(roof.measured, roof.unit);
  if (!roof.theoretical) return measured;
  const std::string theoretical = with_prefix(*roof.theoretical, roof.unit);
  const bool alike = theoretical.ends_with(measured.substr(measured.find(' ')));
  return (alike ? measured.substr(0, measured.find(' ')) : measured) + " of " + theoretical;
}

std::string roof_colour(const Roof& roof) {
  if (roof.kind == CeilingKind::compute) return roof.thin ? "ink-soft" : "ink";
  return roof.thin ? "ink-soft" : level_style(roof.name).colour;
}

HoverFacts roof_facts(const Roof& roof) {
  HoverFacts facts = {{"measured", with_prefix(roof.measured, roof.unit)}};
  if (roof.theoretical) {
    facts.push_back({"theoretical", with_prefix(*roof.theoretical, roof.unit)});
    facts.push_back({"measured of theoretical",
                     fmt::format("{:.3g}%", 100 * roof.measured / *roof.theoretical)});
  }
  if (roof.clock_mhz > 0) facts.push_back({"clock", fmt::format("{:.4g} MHz", roof.clock_mhz)});
  return facts;
}

class RooflineMaker {
 public:
  RooflineMaker(const RooflineChart& from, Chart& chart) : from_(from), chart_(chart) {}

  void make() {
    for (const WallLine& wall : from_.walls) add_wall(wall);
    for (const Roof& roof : from_.roofs) add_roof(roof);
    for (const MixRoof& mix : from_.mixes) add_mix(mix);
    join_levels();
    for (const std::string& level : from_.levels) add_level(level);
    place_names(chart_, lines_, names_);
  }

 private:
  void add_roof(const Roof& roof);
  void add_wall(const WallLine& wall);
  void add_mix(const MixRoof& mix);
  void add_level(const std::string& level);
  void add_mark(const Step& step, const LevelPoint& level);
  HoverFacts facts_of(const Step& step, const LevelPoint& level) const;
  void join_levels();
  /// Adds a line with a hover text.
  void add_line(ChartLine line, std::string headline, HoverFacts facts) {
    line.headline = std::move(headline);
    line.facts = std::move(facts);
    chart_.lines.push_back(std::move(line));
  }

  const RooflineChart& from_;
  Chart& chart_;
  std::vector<NameOfLine> lines_;
  std::vector<NamesOfMarks> names_;
};

void RooflineMaker::add_roof(const Roof& roof) {
  const bool flat = roof.kind == CeilingKind::compute;
  Tags tags;
  if (!flat && !roof.thin) tags.push_back({"level", roof.name});
  const auto add = [&](const Segment& at, const char* item, double width, const char* dash,
                       const Tags& its) {
    add_line(plain_line({{at.x0, at.y0}, {at.x1, at.y1}}, item, roof.name, roof.label,
                        roof_colour(roof), width, dash, its),
             fmt::format("{} of {}", roof.label, from_.device), roof_facts(roof));
  };
  if (const auto line = visible_part(from_, roof, true)) {
    Tags dashed = tags;
    dashed.push_back({"theoretical", "yes"});
    add(*line, "theoretical", roof.thin ? 0.8 : 1.5, "dash", dashed);
  }
  const auto line = visible_part(from_, roof);
  if (!line) return;
  add(*line, roof.thin ? "thin roof" : "roof", roof.thin ? 1.0 : 2.8, "", tags);
  lines_.push_back({fmt::format("{} {}", roof.label, roof_value(roof)),
                    ChartPoint{line->x0, line->y0}, ChartPoint{line->x1, line->y1},
                    roof_colour(roof), -15, flat, flat, tags});
}

/// Draws a wall from the axis to its roof, with a name along the line.
void RooflineMaker::add_wall(const WallLine& wall) {
  if (wall.top <= chart_.y.low) return;
  const ChartPoint from{wall.intensity, chart_.y.low}, to{wall.intensity, wall.top};
  add_line(plain_line({from, to}, "wall", "wall", wall.label, "ink-soft", 1.6, "dash"),
           wall.label + ", a pattern of access",
           {{"intensity", fmt::format("{:.3g} {}", wall.intensity, intensity_unit(from_.model))},
            {"at most, on " + from_.device, with_prefix(wall.top, from_.model.rate_unit())}});
  lines_.push_back({wall.label, from, to, "ink-soft", 10, true});
}

/// Draws the ceiling from the last of its points to the border.
void RooflineMaker::add_mix(const MixRoof& mix) {
  double left = chart_.x.low;
  std::vector<std::string> labels;
  for (const Step& step : from_.steps) labels.push_back(step.label);
  for (const std::size_t i : mix.steps)
    for (const LevelPoint& level : from_.steps[i].point.levels)
      left = std::max(left, level.intensity);
  const std::string steps = label_range(labels, mix.steps);
  const std::string value = with_prefix(mix.value, from_.model.rate_unit());
  const ChartPoint start{left, mix.value}, end{chart_.x.high, mix.value};
  add_line(plain_line({start, end}, "mix", "mix", steps, "ink-soft", 1.4, "dot"),
           "FMA mix of " + steps, {{"at most", value}});
  lines_.push_back(
      {fmt::format("FMA mix {}: {}", steps, value), start, end, "ink-soft", -15, true, true});
}

/// What is the same at all levels is told at the outermost one alone.
HoverFacts RooflineMaker::facts_of(const Step& step, const LevelPoint& level) const {
  const RooflinePoint& point = step.point;
  const Model& model = from_.model;
  const auto share = [](double percent) { return fmt::format("{:.3g}%", percent); };
  const auto rate = [&model](double value) { return with_prefix(value, model.rate_unit()); };
  HoverFacts facts = {
      {"rate", rate(height_of(point))},
      {"time", with_prefix(point.seconds, "s")},
      {"intensity", fmt::format("{:.3g} {}", level.intensity, intensity_unit(model))},
      {"moved", with_prefix(level.bytes, model.counts_transactions() ? "txn" : "B")},
      {"of this roof", share(level.percent)}};
  if (point.analytic) facts.push_back({"source", "computed, not counted by hardware"});
  if (level.level != from_.levels.back()) return facts;
  if (step.launches) facts.push_back({"launches", std::to_string(*step.launches)});
  if (point.active_per_s) {
    facts.push_back({"with lanes that were switched off", rate(point.flop_per_s)});
    facts.push_back({"of their lanes", share(100 * *point.active_per_s / point.flop_per_s)});
  }
  if (const auto wall = nearest_wall(point, model))
    facts.push_back({"nearest wall", fmt::format("{:.2f}x {}", wall->ratio, wall->wall.label)});
  if (point.share < 1)
    facts.push_back({model.title + " of all operations", share(100 * point.share)});
  facts.push_back(
      {"nearest roof", fmt::format("{}, {} of it",
                                   point.bound_by == "compute" ? point.bound_by
                                                               : level_label(from_, point.bound_by),
                                   share(point.percent_of_roof))});
  facts.insert(facts.end(), step.facts.begin(), step.facts.end());
  if (point.fma_mix_ceiling) facts.push_back({"roof of its FMA mix", rate(*point.fma_mix_ceiling)});
  return facts;
}

Tags step_tags(const Step& step, const std::string& level = {}) {
  Tags tags;
  if (!level.empty()) tags.push_back({"level", level});
  tags.push_back({"variant", step.label});
  if (step.part) tags.push_back({"part", "yes"});
  return tags;
}

void RooflineMaker::add_mark(const Step& step, const LevelPoint& level) {
  const RooflinePoint& point = step.point;
  ChartMark mark;
  mark.at = {level.intensity, height_of(point)};
  mark.item = "point";
  mark.of = level.level;
  mark.source = point.analytic ? "analytic" : "counted";
  mark.shape = level_style(level.level).shape;
  mark.hollow = point.analytic;
  mark.small = step.part;
  mark.colour = level_style(level.level).colour;
  mark.name = step.label;
  mark.headline = fmt::format("{} at {}", step.title.empty() ? step.label : step.title,
                              level_label(from_, level.level));
  mark.facts = facts_of(step, level);
  mark.tags = step_tags(step, level.level);
  if (point.active_per_s) {  // the height if all lanes were active
    ChartMark dash = mark;
    dash.item = "dash";
    dash.at.y = point.flop_per_s;
    dash.shape = Shape::bar;
    dash.hollow = false;
    dash.facts.clear();
    chart_.marks.push_back(dash);
  }
  chart_.marks.push_back(mark);
}

/// Draws thin lines through the levels of each step, if no arrows show which marks belong together.
void RooflineMaker::join_levels() {
  const std::string colour = level_style(plane_level(from_)).colour;
  for (const Step& step : from_.steps) {
    if (from_.in_order && !step.part) continue;
    std::vector<ChartPoint> points;
    for (const LevelPoint& level : step.point.levels)
      points.push_back({level.intensity, height_of(step.point)});
    if (points.size() < 2) continue;
    chart_.lines.push_back(
        plain_line(points, "link", "", step.label, colour, 0.8, "dot", step_tags(step)));
  }
}

/// Draws the marks of one level, arrows between them, and names.
void RooflineMaker::add_level(const std::string& level) {
  NamesOfMarks names;
  names.colour = level_style(level).colour;
  names.tags = {{"level", level}};
  const Step* before = nullptr;
  for (const Step& step : from_.steps) {
    const LevelPoint* at = step.point.find_level(level);
    if (at != nullptr) add_mark(step, *at);
    if (step.part) continue;
    names.names.push_back(step.label);
    names.places.emplace_back();
    if (at != nullptr) {
      const ChartPoint here{at->intensity, height_of(step.point)};
      if (before != nullptr && from_.in_order) {
        const ChartPoint from{before->point.find_level(level)->intensity, height_of(before->point)};
        chart_.lines.push_back(plain_line({from, here}, "arrow", level, step.label, names.colour,
                                          1.3, "", step_tags(step, level)));
        chart_.lines.back().arrow = chart_.lines.back().between_marks = true;
      }
      names.places.back() = here;
    }
    before = at == nullptr ? nullptr : &step;
  }
  names_.push_back(std::move(names));
}

/// The key: marks of levels, and meanings of lines and fillings, as far as they occur.
std::vector<ChartKey> key_of(const RooflineChart& chart) {
  std::vector<ChartKey> key;
  const bool counted = chart.any_counted();
  for (const std::string& level : chart.levels)
    key.push_back({level_label(chart, level), level_style(level).colour, level_style(level).shape,
                   !counted, "", level});
  if (counted) key.push_back({"counted by hardware", "ink-soft", Shape::circle});
  if (chart.any_analytic()) key.push_back({chart.hollow, "ink-soft", Shape::circle, true});
  if (chart.any_active())
    key.push_back({"dash: with lanes that were switched off", "ink-soft", Shape::bar});
  if (!chart.walls.empty())
    key.push_back({"wall: a pattern of access", "ink-soft", {}, false, "dash"});
  key.push_back({"roof, measured", "ink-soft"});
  if (chart.any_theoretical()) key.push_back({"theoretical", "ink-soft", {}, false, "dash"});
  return key;
}

}  // namespace

Chart make_roofline(const RooflineChart& from, const std::string& name,
                    const std::string& subtitle) {
  const bool instructions = from.model.counts_transactions();
  const std::string kind = instructions ? "instruction" : "arithmetic",
                    what = instructions ? "Instruction roofline" : "Hierarchical roofline";
  Chart chart;
  chart.name = file_stem(name);
  chart.title = fmt::format(
      "{}{}: {}", what, instructions ? ", " + in_lower_case(from.model.title) : "", from.device);
  chart.subtitle = subtitle;
  chart.description = fmt::format("{}: rate over {} intensity at each level of memory", what, kind);
  chart.key = key_of(from);
  chart.frame = with_room_for_key(chart);
  const Box plot = plot_of(chart.frame);
  chart.x = log_axis(kind + " intensity: " + from.model.across, intensity_unit(from.model),
                     from.intensity, plot.width());
  chart.y = log_axis(from.model.up, from.model.rate_unit(), from.flop_per_s, plot.height(), true);
  for (const Step& step : from.steps)
    if (std::ranges::find(chart.steps, step.label) == chart.steps.end())
      chart.steps.push_back(step.label);
  chart.notes = from.notes;
  RooflineMaker(from, chart).make();
  return chart;
}

}  // namespace roofline
