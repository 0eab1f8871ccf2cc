// Describes a chart in words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/view/chart.h"

namespace gpp::test {

/// A line for each series of each kind of item in a chart, with the items' positions.
inline std::string outline(const std::optional<roofline::Chart>& chart) {
  if (!chart) return "no chart\n";
  std::vector<std::pair<std::string, std::string>> lists;
  const auto add = [&lists](const std::string& kind, std::string what) {
    std::replace(what.begin(), what.end(), '\n', '/');
    const auto found = std::find_if(lists.begin(), lists.end(),
                                    [&kind](const auto& list) { return list.first == kind; });
    if (found == lists.end())
      lists.emplace_back(kind, what);
    else
      found->second += "; " + what;
  };
  if (chart->x.categories)
    for (const roofline::Tick& tick : chart->x.ticks) add("ticks", tick.text);
  for (const roofline::ChartKey& key : chart->key) add("key", key.text);
  for (const roofline::ChartBox& box : chart->boxes)
    add(box.item + " " + box.of, fmt::format("{} {:.4g} to {:.4g}", box.name, box.left, box.right));
  for (const roofline::ChartLine& line : chart->lines)
    add(line.item + " " + line.of,
        fmt::format("{} {:.4g}, {:.4g} to {:.4g}, {:.4g}", line.name, line.points.at(0).x,
                    line.points[0].y, line.points.back().x, line.points.back().y));
  for (const roofline::ChartMark& mark : chart->marks)
    add(mark.item + " " + mark.of + mark.source, fmt::format("{} {:.4g}", mark.name, mark.at.y));
  for (const roofline::ChartLabel& label : chart->labels) add("labels", label.text);
  for (const std::string& note : chart->notes) add("note", note);
  const auto axis = [](const roofline::ChartAxis& one) {
    return fmt::format("{} {:g} to {:g} {}", one.title, one.low, one.high, one.unit);
  };
  std::string text = fmt::format("{}, {}: {} over {}\n", chart->name, chart->title, axis(chart->y),
                                 axis(chart->x));
  for (const auto& [kind, list] : lists) text += fmt::format("  {}: {}\n", kind, list);
  return text;
}

}  // namespace gpp::test
