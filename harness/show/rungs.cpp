#include "harness/show/rungs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/charts/labels.h"

namespace gpp {
namespace {

using roofline::Box;
using roofline::Drawing;
using roofline::KeyEntry;
using roofline::Page;

constexpr double font_size = 14;
constexpr double longest_half_rung = 0.36;  ///< of the distance between steps

roofline::Range axis_of(const RungChart& chart) {
  double lowest = INFINITY, highest = 0;
  for (const RungSeries& series : chart.series)
    for (const Rung& rung : series.rungs) {
      lowest = std::min(lowest, rung.value);
      highest = std::max(highest, rung.value);
    }
  return roofline::round_range(lowest / 1.5, highest * 1.5);
}

/// Half the length of a series' rungs: those drawn on top are shorter, so that the ends of what
/// they lie on are seen.
double half_rung(std::size_t series, std::size_t count) {
  return longest_half_rung *
         (1 - 0.5 * static_cast<double>(count - 1 - series) / static_cast<double>(count));
}

/// Rungs, risers between them and labels, as rows of the table.
std::string rows_of(const RungChart& chart, const Box& plot, const roofline::Range& axis) {
  const std::vector<RungSeries>& all = chart.series;
  const double width = plot.width() / static_cast<double>(chart.steps.size());
  const auto x = [&](double position) { return plot.left + width * (position + 0.5); };
  // The axis across counts steps; only the one up is needed as a scale.
  const roofline::LogAxes axes{plot, {1, 10}, axis};
  roofline::LabelPlacer placer(plot);
  std::string rows = fmt::format("item,ladder,text,position,{0},to_position,to_{0}\n", chart.value);
  const auto row = [&rows](const char* item, std::size_t series, const std::string& text, double x0,
                           double y0, double x1, double y1) {
    using roofline::in_full;
    const auto position = [](double at) { return fmt::format("{:.5g}", at); };
    rows += roofline::csv_line(
        {item, std::to_string(series), text, position(x0), in_full(y0), position(x1), in_full(y1)});
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Rung& rung : all[i].rungs) {
      const double at = static_cast<double>(rung.position), up = axes.y(rung.value);
      const double half = half_rung(i, all.size());
      row("rung", i, chart.steps[rung.position].front(), at - half, rung.value, at + half,
          rung.value);
      placer.avoid({x(at - half), up - 3, x(at + half), up + 3}, 40);
      const Rung* before = &rung == &all[i].rungs.front() ? nullptr : &rung - 1;
      if (before == nullptr || (chart.gaps_part && before->position + 1 != rung.position)) continue;
      const double from = static_cast<double>(before->position) + half;
      row("riser", i, "", from, before->value, at - half, rung.value);
      placer.avoid_line(x(from), axes.y(before->value), x(at - half), up, 3);
    }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Rung& rung : all[i].rungs) {
      if (!all[i].labelled) continue;
      const double up = axes.y(rung.value), middle = x(static_cast<double>(rung.position));
      const Box label = placer.place({middle - 3, up - 3, middle + 3, up + 3},
                                     roofline::text_width(rung.label, font_size), font_size + 2);
      row("label", i, rung.label, ((label.left + label.right) / 2 - plot.left) / width - 0.5,
          axes.value_at_y((label.bottom + label.top) / 2), 0, 0);
    }
  return rows;
}

std::string step_tics(const RungChart& chart) {
  std::string tics;
  for (std::size_t i = 0; i < chart.steps.size(); ++i)
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", roofline::tic_label(chart.steps[i]), i);
  return fmt::format("set xtics ({}) noenhanced scale 0 font ',{}'\n", tics, font_size);
}

bool has_risers(const RungChart& chart, const RungSeries& series) {
  for (std::size_t i = 1; i < series.rungs.size(); ++i)
    if (!chart.gaps_part || series.rungs[i - 1].position + 1 == series.rungs[i].position)
      return true;
  return false;
}

std::vector<std::string> clauses(const RungChart& chart) {
  const std::vector<RungSeries>& all = chart.series;
  std::vector<std::string> list;
  const auto lines = [&](const char* item, double width) {
    for (std::size_t i = all.size(); i-- > 0;) {  // the first on top
      if (std::string_view(item) == "riser" && !has_risers(chart, all[i])) continue;
      list.push_back(
          fmt::format("table using (x('{0}', '{1}')):(column('{4}')):(length('position', "
                      "'to_position')):(length('{4}', 'to_{4}')) with vectors nohead linewidth "
                      "{2} linecolor rgb '{3}' notitle",
                      item, i, width, all[i].colour, chart.value));
    }
  };
  lines("riser", 1.2);
  lines("rung", 5);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].labelled)
      list.push_back(
          fmt::format("table using (x('label', '{}')):(column('{}')):(strcol('text')) with "
                      "labels noenhanced font ',{}' textcolor rgb '{}' notitle",
                      i, chart.value, font_size, all[i].colour));
  return list;
}

}  // namespace

double RungSeries::highest() const {
  double value = 0;
  for (const Rung& rung : rungs) value = std::max(value, rung.value);
  return value;
}

Drawing draw_rungs(const RungChart& chart) {
  std::vector<KeyEntry> key;
  for (const RungSeries& series : chart.series) key.push_back({series.title, series.colour});
  const Page page = roofline::with_room_for_key({1200, 700, {118, 104, 1180, 596}}, key);
  const roofline::Range axis = axis_of(chart);
  Drawing drawing{roofline::file_stem(chart.name), chart.title, "",
                  rows_of(chart, page.plot, axis)};
  drawing.script = roofline::script_head(drawing, page, chart.subtitle, chart.meaning);
  drawing.script += fmt::format(
      "set logscale y\nset yrange [{}:{}]\nset xrange [-0.5:{}]\nunset grid\nset grid ytics "
      "linetype 1 linecolor rgb '#E8E8E8' linewidth 1\n",
      axis.low, axis.high, static_cast<double>(chart.steps.size()) - 0.5);
  drawing.script += roofline::log_tics('y', axis, chart.unit, page.plot.height());
  drawing.script += step_tics(chart);
  drawing.script += roofline::key_rows(page, key);
  drawing.script +=
      "\nx(item, ladder) = strcol('item') eq item && strcol('ladder') eq ladder ? "
      "column('position') : NaN\n"
      "length(from, to) = column(to) - column(from)\n";
  drawing.script += roofline::script_tail(drawing, page, clauses(chart));
  return drawing;
}

}  // namespace gpp
