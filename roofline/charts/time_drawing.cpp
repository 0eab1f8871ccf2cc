#include "roofline/charts/time_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

const std::string compute = "compute";

/// The arithmetic, where there is any, and every level, in the order of the key.
std::vector<std::string> needs(const RooflineChart& chart) {
  std::vector<std::string> names;
  if (!chart.model.moves) names.push_back(compute);
  names.insert(names.end(), chart.levels.begin(), chart.levels.end());
  return names;
}

double seconds_needed(const Step& step, const std::string& need) {
  if (need == compute) return step.point.compute_seconds;
  for (const LevelPoint& level : step.point.levels)
    if (level.level == need) return level.seconds;
  return 0;
}

std::string need_label(const RooflineChart& chart, const std::string& need) {
  return need == compute ? chart.model.title + " peak" : level_label(chart, need);
}

std::string rows_of(const RooflineChart& chart) {
  std::string rows = "item,name,text,source,position,seconds\n";
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    const Step& step = chart.steps[i];
    const auto position = [i](double aside) {
      return fmt::format("{:.5g}", static_cast<double>(i) + 1 + aside);
    };
    const std::string source = step.point.analytic ? "analytic" : "counted";
    rows += csv_line({"taken", step.label, with_prefix(step.point.seconds, "s"), "measured",
                      position(0), in_full(step.point.seconds)});
    double aside = -0.06 * static_cast<double>(chart.levels.size());
    for (const std::string& need : needs(chart)) {
      if (const double seconds = seconds_needed(step, need); seconds > 0)
        rows += csv_line({"needed", need, step.label, source, position(aside), in_full(seconds)});
      aside += 0.12;  // beside each other, so that none hides another
    }
  }
  return rows;
}

/// Markers far below the columns stay on the paper, down to a ten-thousandth of the longest.
Range axis_of(const RooflineChart& chart) {
  double shortest = INFINITY, longest = 0;
  for (const Step& step : chart.steps) {
    longest = std::max(longest, step.point.seconds);
    for (const std::string& need : needs(chart))
      if (const double seconds = seconds_needed(step, need); seconds > 0)
        shortest = std::min(shortest, seconds);
  }
  shortest = std::max(shortest, longest * 1e-4);
  return round_range(shortest / 1.4, longest * 1.5);
}

std::string step_tics(const RooflineChart& chart) {
  std::string tics;
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    const Step& step = chart.steps[i];
    const std::string bound = need_label(chart, step.point.bound_by);
    const std::string share = fmt::format("{:.0f}%", step.point.percent_of_roof);
    tics +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", tic_label({step.label, bound, share}), i + 1);
  }
  return fmt::format("set xtics ({}) noenhanced scale 0 font ',14'\n", tics);
}

std::vector<std::string> clauses(const RooflineChart& chart) {
  std::vector<std::string> list;
  list.push_back(
      fmt::format("table using (taken('measured')):(column('seconds')) with boxes "
                  "fillcolor rgb '{}' notitle",
                  colour::light_grey));
  list.push_back(
      "table using (taken('measured')):(column('seconds')):(strcol('text')) with labels noenhanced "
      "offset "
      "0,0.7 font ',14' notitle");
  for (const std::string& need : needs(chart)) {
    const LevelStyle style = level_style(need);
    const auto points = [&](const char* source, int type, double size, const char* colour) {
      list.push_back(
          fmt::format("table using (needed({}, '{}')):(column('seconds')) with points pointtype "
                      "{} pointsize {} linewidth 1.8 linecolor rgb '{}' notitle",
                      quoted(need), source, type, size, colour));
    };
    if (chart.any_counted()) points("counted", style.filled, 1.75, "#FFFFFF");
    if (chart.any_counted()) points("counted", style.filled, 1.35, style.colour);
    if (chart.any_analytic()) points("analytic", style.filled, 1.5, "#FFFFFF");
    if (chart.any_analytic()) points("analytic", style.hollow, 1.4, style.colour);
  }
  return list;
}

std::vector<KeyEntry> key_entries(const RooflineChart& chart) {
  std::vector<KeyEntry> entries = {{"time taken", colour::light_grey, 5}};
  for (const std::string& need : needs(chart)) {
    const LevelStyle style = level_style(need);
    entries.push_back({"needed by " + need_label(chart, need), style.colour,
                       chart.any_counted() ? style.filled : style.hollow});
  }
  if (chart.any_analytic()) entries.push_back({"analytic, not counted", colour::grey, 6});
  return entries;
}

}  // namespace

Drawing draw_times(const RooflineChart& chart, const std::string& name,
                   const std::string& subtitle) {
  const Page page = with_room_for_key({1200, 700, {118, 100, 1170, 596}}, key_entries(chart));
  Drawing drawing{file_stem(name), fmt::format("Time taken and time needed: {}", chart.device), "",
                  rows_of(chart)};
  drawing.script = script_head(drawing, page, subtitle,
                               "`taken`: seconds of a step; `needed`: seconds that a level's bytes "
                               "or the arithmetic take at the measured roof.");
  const Range axis = axis_of(chart);
  drawing.script += fmt::format(
      "set logscale y\nset yrange [{}:{}]\nset xrange [0.4:{}]\nunset grid\nset grid ytics "
      "linetype 1 linecolor rgb '#E8E8E8' linewidth 1\nset boxwidth 0.62\nset style fill solid 1 "
      "noborder\n",
      axis.low, axis.high, static_cast<double>(chart.steps.size()) + 0.6);
  drawing.script += log_tics('y', axis, "s", page.plot.height());
  drawing.script += step_tics(chart);
  drawing.script += key_rows(page, key_entries(chart));
  drawing.script +=
      label_at(page, page.plot.left, 22,
               "Below each step: the longest time needed, and its share of the time taken.",
               fmt::format("font ',13' textcolor rgb '{}'", colour::grey));
  drawing.script +=
      "\ntaken(source) = strcol('item') eq 'taken' ? column('position') : NaN\n"
      "needed(need, source) = strcol('item') eq 'needed' && strcol('name') eq need && "
      "strcol('source') eq source ? column('position') : NaN\n";
  drawing.script += script_tail(drawing, page, clauses(chart));
  return drawing;
}

}  // namespace roofline
