#include <fmt/format.h>

#include <algorithm>
#include <set>

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
  explicit RooflineMaker(const std::vector<ChartSeries>& all) : all_(all) {}

  void make(Chart& chart) {
    for (const ChartSeries& series : all_)
      if (machines_.insert(series.machine).second) add_roofs(chart, series);
    for (const ChartSeries& series : all_) add_series(chart, series);
    place_names(chart, lines_, names_);
  }

 private:
  bool alone() const { return all_.size() == 1; }
  void add_roofs(Chart& chart, const ChartSeries& series);
  void add_roof(Chart& chart, const ChartSeries& series, const Roof& roof);
  void add_wall(Chart& chart, const ChartSeries& series, const WallLine& wall);
  void add_mix(Chart& chart, const RooflineChart& from, const MixRoof& mix);
  void add_series(Chart& chart, const ChartSeries& series);
  void add_level(Chart& chart, const ChartSeries& series, const std::string& level);
  void add_mark(Chart& chart, const ChartSeries& series, const Step& step, const LevelPoint& level);
  HoverFacts facts_of(const ChartSeries& series, const Step& step, const LevelPoint& level) const;
  void join_levels(Chart& chart, const ChartSeries& series);

  const std::vector<ChartSeries>& all_;
  std::set<std::string> machines_, walls_;
  std::vector<NameOfLine> lines_;
  std::vector<NamesOfMarks> names_;
};

void RooflineMaker::add_roofs(Chart& chart, const ChartSeries& series) {
  for (const WallLine& wall : series.chart.walls) add_wall(chart, series, wall);
  for (const Roof& roof : series.chart.roofs) add_roof(chart, series, roof);
  if (alone())
    for (const MixRoof& mix : series.chart.mixes) add_mix(chart, series.chart, mix);
}

Tags machine_tags(const ChartSeries& series) {
  return series.machine.empty() ? Tags{} : Tags{{"machine", series.machine}};
}

void RooflineMaker::add_roof(Chart& chart, const ChartSeries& series, const Roof& roof) {
  const bool flat = roof.kind == CeilingKind::compute;
  Tags tags = machine_tags(series);
  if (!flat && !roof.thin) tags.push_back({"level", roof.name});
  const auto add = [&](const Segment& at, const char* item, double width, const char* dash,
                       const Tags& its) {
    ChartLine line = plain_line({{at.x0, at.y0}, {at.x1, at.y1}}, item, roof.name, roof.label,
                                roof_colour(roof), width, dash, its);
    line.headline = fmt::format("{} of {}", roof.label, series.chart.device);
    line.facts = roof_facts(roof);
    chart.lines.push_back(std::move(line));
  };
  if (const auto line = visible_part(series.chart, roof, true)) {
    Tags dashed = tags;
    dashed.push_back({"theoretical", "yes"});
    add(*line, "theoretical", roof.thin ? 0.8 : 1.5, "dash", dashed);
  }
  const auto line = visible_part(series.chart, roof);
  if (!line) return;
  add(*line, roof.thin ? "thin roof" : "roof", roof.thin ? 1.0 : 2.8, "", tags);
  const std::string owner = machines_.size() > 1 || !alone() ? ", " + series.chart.device : "";
  lines_.push_back({fmt::format("{} {}{}", roof.label, roof_value(roof), flat ? owner : ""),
                    ChartPoint{line->x0, line->y0}, ChartPoint{line->x1, line->y1},
                    roof_colour(roof), -15, flat, flat, tags});
}

/// Draws a wall from the axis to its roof, with a name along the line. Walls common to several
/// machines are drawn once.
void RooflineMaker::add_wall(Chart& chart, const ChartSeries& series, const WallLine& wall) {
  if (wall.top <= chart.y.low || !walls_.insert(wall.name).second) return;
  const ChartPoint from{wall.intensity, chart.y.low}, to{wall.intensity, wall.top};
  ChartLine line = plain_line({from, to}, "wall", "wall", wall.label, "ink-soft", 1.6, "dash",
                              machine_tags(series));
  line.headline = wall.label + ", a pattern of access";
  line.facts = {
      {"intensity", fmt::format("{:.3g} {}", wall.intensity, intensity_unit(series.chart.model))},
      {"at most, on " + series.chart.device,
       with_prefix(wall.top, series.chart.model.rate_unit())}};
  chart.lines.push_back(std::move(line));
  lines_.push_back({wall.label, from, to, "ink-soft", 10, true, false, machine_tags(series)});
}

/// Draws the ceiling from the last of its points to the border.
void RooflineMaker::add_mix(Chart& chart, const RooflineChart& from, const MixRoof& mix) {
  double left = chart.x.low;
  std::vector<std::string> labels;
  for (const Step& step : from.steps) labels.push_back(step.label);
  for (const std::size_t i : mix.steps)
    for (const LevelPoint& level : from.steps[i].point.levels)
      left = std::max(left, level.intensity);
  const std::string steps = label_range(labels, mix.steps);
  const std::string value = with_prefix(mix.value, from.model.rate_unit());
  const ChartPoint start{left, mix.value}, end{chart.x.high, mix.value};
  ChartLine line = plain_line({start, end}, "mix", "mix", steps, "ink-soft", 1.4, "dot");
  line.headline = "FMA mix of " + steps;
  line.facts = {{"at most", value}};
  chart.lines.push_back(std::move(line));
  lines_.push_back(
      {fmt::format("FMA mix {}: {}", steps, value), start, end, "ink-soft", -15, true, true});
}

std::string series_name(const ChartSeries& series) {
  return series.title.empty() ? series.chart.device : series.title;
}

HoverFacts RooflineMaker::facts_of(const ChartSeries& series, const Step& step,
                                   const LevelPoint& level) const {
  const RooflinePoint& point = step.point;
  const Model& model = series.chart.model;
  const auto share = [](double percent) { return fmt::format("{:.3g}%", percent); };
  const auto rate = [&model](double value) { return with_prefix(value, model.rate_unit()); };
  HoverFacts facts = {{"on", series_name(series)}};
  if (step.launches) facts.push_back({"launches", std::to_string(*step.launches)});
  facts.push_back({"rate", rate(height_of(point))});
  if (point.active_per_s) {
    facts.push_back({"with lanes that were switched off", rate(point.flop_per_s)});
    facts.push_back({"of their lanes", share(100 * *point.active_per_s / point.flop_per_s)});
  }
  if (const auto wall = nearest_wall(point, model))
    facts.push_back({"nearest wall", fmt::format("{:.2f}x {}", wall->ratio, wall->wall.label)});
  if (point.share < 1)
    facts.push_back({model.title + " of all operations", share(100 * point.share)});
  facts.push_back({"intensity", fmt::format("{:.3g} {}", level.intensity, intensity_unit(model))});
  facts.push_back({"moved", with_prefix(level.bytes, model.counts_transactions() ? "txn" : "B")});
  facts.push_back({"of this roof", share(level.percent)});
  facts.push_back({"of its lowest roof", share(point.percent_of_roof)});
  facts.push_back({"nearest roof", point.bound_by == "compute"
                                       ? point.bound_by
                                       : level_label(series.chart, point.bound_by)});
  facts.insert(facts.end(), step.facts.begin(), step.facts.end());
  if (point.fma_mix_ceiling) facts.push_back({"roof of its FMA mix", rate(*point.fma_mix_ceiling)});
  facts.push_back({"time", with_prefix(point.seconds, "s")});
  facts.push_back(
      {"source", point.analytic ? "computed, not counted by hardware" : "counted by hardware"});
  return facts;
}

Tags step_tags(const ChartSeries& series, const Step& step, const std::string& level) {
  Tags tags = series.tags;
  tags.push_back({"level", level});
  tags.push_back({"variant", step.label});
  if (step.part) tags.push_back({"part", "yes"});
  return tags;
}

std::string mark_colour(const ChartSeries& series, const std::string& level) {
  return series.title.empty() ? level_style(level).colour : series_colour(series.colour);
}

void RooflineMaker::add_mark(Chart& chart, const ChartSeries& series, const Step& step,
                             const LevelPoint& level) {
  const RooflinePoint& point = step.point;
  ChartMark mark;
  mark.at = {level.intensity, height_of(point)};
  mark.item = "point";
  mark.of = level.level;
  mark.source = point.analytic ? "analytic" : "counted";
  mark.shape = level_style(level.level).shape;
  mark.hollow = point.analytic;
  mark.small = step.part;
  mark.colour = mark_colour(series, level.level);
  mark.name = step.label;
  mark.headline = fmt::format("{} at {}", step.title.empty() ? step.label : step.title,
                              level_label(series.chart, level.level));
  mark.facts = facts_of(series, step, level);
  mark.tags = step_tags(series, step, level.level);
  if (point.active_per_s) {  // the height if all lanes were active
    ChartMark dash = mark;
    dash.item = "dash";
    dash.at.y = point.flop_per_s;
    dash.shape = Shape::bar;
    dash.hollow = false;
    chart.marks.push_back(dash);
  }
  chart.marks.push_back(mark);
}

/// Draws thin lines through the levels of each step, if no arrows show which marks belong together.
void RooflineMaker::join_levels(Chart& chart, const ChartSeries& series) {
  for (const Step& step : series.chart.steps) {
    if (series.chart.in_order && !step.part) continue;
    std::vector<ChartPoint> points;
    for (const LevelPoint& level : step.point.levels)
      points.push_back({level.intensity, height_of(step.point)});
    if (points.size() < 2) continue;
    Tags tags = step_tags(series, step, "");
    std::erase_if(tags, [](const auto& tag) { return tag.first == "level"; });
    chart.lines.push_back(plain_line(points, "link", "", step.label,
                                     mark_colour(series, plane_level(series.chart)), 0.8, "dot",
                                     tags));
  }
}

/// Draws the marks of one level, arrows between them, and names. With several series, only the
/// outermost level, where steps differ most, has arrows and names.
void RooflineMaker::add_level(Chart& chart, const ChartSeries& series, const std::string& level) {
  const std::string colour = mark_colour(series, level);
  const bool told = alone() || level == series.chart.levels.back();
  NamesOfMarks names;
  names.colour = colour;
  names.tags = series.tags;
  names.tags.push_back({"level", level});
  const Step* before = nullptr;
  for (const Step& step : series.chart.steps) {
    const LevelPoint* at = step.point.find_level(level);
    if (at != nullptr) add_mark(chart, series, step, *at);
    if (step.part || !told) continue;
    names.names.push_back(step.label);
    names.places.emplace_back();
    if (at == nullptr) {
      before = nullptr;
      continue;
    }
    const ChartPoint here{at->intensity, height_of(step.point)};
    names.places.back() = here;
    if (before != nullptr && series.chart.in_order) {
      const ChartPoint from{before->point.find_level(level)->intensity, height_of(before->point)};
      chart.lines.push_back(plain_line({from, here}, "arrow", level, step.label, colour, 1.3, "",
                                       step_tags(series, step, level)));
      chart.lines.back().arrow = chart.lines.back().between_marks = true;
    }
    before = &step;
  }
  names_.push_back(std::move(names));
}

void RooflineMaker::add_series(Chart& chart, const ChartSeries& series) {
  join_levels(chart, series);
  for (const std::string& level : series.chart.levels) add_level(chart, series, level);
}

/// The key: marks of levels, and meanings of lines and fillings, as far as they occur.
std::vector<ChartKey> key_of(const std::vector<ChartSeries>& all) {
  std::vector<ChartKey> key;
  std::set<std::string> levels;
  bool counted = false, active = false, walls = false, theoretical = false;
  std::string hollow;
  for (const ChartSeries& series : all) {
    const RooflineChart& chart = series.chart;
    counted |= chart.any_counted();
    if (chart.any_analytic()) hollow = chart.hollow;
    active |= chart.any_active();
    walls |= !chart.walls.empty();
    theoretical |= std::ranges::any_of(
        chart.roofs, [](const Roof& roof) { return roof.theoretical.has_value(); });
  }
  for (const ChartSeries& series : all) {
    if (!series.title.empty()) key.push_back({series.title, series_colour(series.colour)});
  }
  for (const ChartSeries& series : all)
    for (const std::string& level : series.chart.levels)
      if (levels.insert(level).second)
        key.push_back({level_label(series.chart, level),
                       series.title.empty() ? level_style(level).colour : "ink-soft",
                       level_style(level).shape, !counted, "", level});
  if (counted) key.push_back({"counted by hardware", "ink-soft", Shape::circle});
  if (!hollow.empty()) key.push_back({hollow, "ink-soft", Shape::circle, true});
  if (active) key.push_back({"dash: with lanes that were switched off", "ink-soft", Shape::bar});
  if (walls) key.push_back({"wall: a pattern of access", "ink-soft", {}, false, "dash"});
  key.push_back({"roof, measured", "ink-soft"});
  if (theoretical) key.push_back({"theoretical", "ink-soft", {}, false, "dash"});
  return key;
}

std::string title_of(const RooflineChart& chart) {
  return chart.model.counts_transactions()
             ? fmt::format("Instruction roofline, {}: {}", in_lower_case(chart.model.title),
                           chart.device)
             : fmt::format("Hierarchical roofline: {}", chart.device);
}

}  // namespace

std::vector<ChartSeries> on_one_paper(std::vector<ChartSeries> all) {
  if (all.empty()) return all;
  Range across = all.front().chart.intensity, up = all.front().chart.flop_per_s;
  for (const ChartSeries& one : all) {
    across.low = std::min(across.low, one.chart.intensity.low);
    across.high = std::max(across.high, one.chart.intensity.high);
    up.low = std::min(up.low, one.chart.flop_per_s.low);
    up.high = std::max(up.high, one.chart.flop_per_s.high);
  }
  for (ChartSeries& one : all) {
    one.chart.intensity = across;
    one.chart.flop_per_s = up;
  }
  return all;
}

Chart make_roofline(std::vector<ChartSeries> series, const std::string& name,
                    const std::string& subtitle) {
  series = on_one_paper(std::move(series));
  const RooflineChart& first = series.front().chart;
  Chart chart;
  chart.name = file_stem(name);
  chart.title = title_of(first);
  chart.subtitle = subtitle;
  chart.description = fmt::format(
      "{}: rate over {} intensity at each level of memory",
      first.model.counts_transactions() ? "Instruction roofline" : "Hierarchical roofline",
      first.model.counts_transactions() ? "instruction" : "arithmetic");
  chart.key = key_of(series);
  chart.frame = with_room_for_key(chart);
  const Box plot = plot_of(chart.frame);
  chart.x = log_axis(
      (first.model.counts_transactions() ? "instruction intensity: " : "arithmetic intensity: ") +
          first.model.across,
      intensity_unit(first.model), first.intensity, plot.width());
  chart.y =
      log_axis(first.model.up, first.model.rate_unit(), first.flop_per_s, plot.height(), true);
  for (const ChartSeries& one : series)
    for (const Step& step : one.chart.steps)
      if (std::ranges::find(chart.steps, step.label) == chart.steps.end())
        chart.steps.push_back(step.label);
  for (const ChartSeries& one : series)
    for (const std::string& note : one.chart.notes)
      chart.notes.push_back(series.size() > 1 ? fmt::format("{}: {}", series_name(one), note)
                                              : note);
  RooflineMaker(series).make(chart);
  return chart;
}

}  // namespace roofline
