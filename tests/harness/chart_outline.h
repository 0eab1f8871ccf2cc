// A chart in words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "roofline/view/chart.h"

namespace gpp::test {

/// A line for each thing that a chart shows, with where it lies or begins.
inline std::string outline(const std::optional<roofline::Chart>& chart) {
  if (!chart) return "no chart\n";
  std::string text = fmt::format("{}, {}: {} over {}\n", chart->name, chart->title,
                                 chart->y.title + " " + chart->y.unit, chart->x.title);
  const auto add = [&text](const std::string& kind, std::string what) {
    std::replace(what.begin(), what.end(), '\n', '/');
    text += fmt::format("  {} {}\n", kind, what);
  };
  if (chart->x.categories)
    for (const roofline::Tick& tick : chart->x.ticks) add("tick", tick.text);
  for (const roofline::ChartKey& key : chart->key) add("key", key.text);
  for (const roofline::ChartBox& box : chart->boxes)
    add(box.item, fmt::format("{} {} {:.4g} to {:.4g}", box.of, box.name, box.left, box.right));
  for (const roofline::ChartLine& line : chart->lines)
    add(line.item, fmt::format("{} {} of {}, from {:.4g}", line.of, line.name, line.points.size(),
                               line.points.at(0).y));
  for (const roofline::ChartMark& mark : chart->marks)
    add(mark.item,
        fmt::format(
            "{} {} {} {:.4g}{}", mark.of, mark.name, mark.source, mark.at.y,
            mark.low ? fmt::format(", {:.4g} to {:.4g}", *mark.low, mark.high.value_or(0)) : ""));
  for (const roofline::ChartLabel& label : chart->labels) add("label", label.text);
  for (const std::string& note : chart->notes) add("note", note);
  return text;
}

}  // namespace gpp::test
