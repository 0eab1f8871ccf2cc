// A chart of what warps waited for: one bar per variant, divided by stall.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/view/study_charts.h"
#include "roofline/models/model_table.h"
#include "roofline/view/axes.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

using roofline::Chart;

/// The maximum number of parts; further reasons share one.
constexpr std::size_t most_parts = 9;
constexpr const char* others = "all others";
constexpr double least_drawn = 0.01;  ///< of a bar; less would not be seen

/// Issuing is not a stall, though the counters list it as one.
bool is_reason(const std::string& name) {
  return name.starts_with("stall_") && name != "stall_selected";
}

std::string reason_label(std::string name) {
  if (name.starts_with("stall_")) name.erase(0, 6);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

struct Bar {
  const Result* result;
  std::map<std::string, double> parts;  ///< seconds per issue by reason, positive

  double sum() const {
    double sum = 0;
    for (const auto& [name, value] : parts) sum += value;
    return sum;
  }
};

std::vector<Bar> bars_of(const StudySeries& series) {
  std::vector<Bar> bars;
  for (const ShownRow& row : series.rows) {
    Bar bar{row.result, {}};
    if (row.result->timed())
      for (const auto& [name, value] : row.metrics())
        if (is_reason(name) && value > 0) bar.parts[name] = value;
    if (!bar.parts.empty()) bars.push_back(std::move(bar));
  }
  return bars;
}

/// The largest reasons over all bars, in descending order; the rest is combined.
std::vector<std::string> reasons_of(std::vector<Bar>& bars) {
  std::map<std::string, double> totals;
  for (const Bar& bar : bars)
    for (const auto& [name, value] : bar.parts) totals[name] += value;
  std::vector<std::string> reasons;
  for (const auto& [name, value] : totals) reasons.push_back(name);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [&totals](const auto& a, const auto& b) { return totals[a] > totals[b]; });
  if (reasons.size() <= most_parts) return reasons;
  for (Bar& bar : bars)
    for (std::size_t i = most_parts; i < reasons.size(); ++i)
      if (const auto found = bar.parts.find(reasons[i]); found != bar.parts.end()) {
        bar.parts[others] += found->second;
        bar.parts.erase(reasons[i]);
      }
  reasons.resize(most_parts);
  reasons.emplace_back(others);
  return reasons;
}

void add_bar(Chart& chart, const Bar& bar, const std::vector<std::string>& reasons, double y) {
  double left = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const auto part = bar.parts.find(reasons[i]);
    if (part == bar.parts.end()) continue;
    if (part->second < least_drawn * bar.sum()) {
      left += part->second;
      continue;
    }
    const std::string name = full_name(*bar.result), reason = reason_label(reasons[i]);
    roofline::ChartBox box{left,   y - 0.35, left + part->second,     y + 0.35, "stall",
                           reason, name,     roofline::part_colour(i)};
    box.headline = fmt::format("{}: {}", name, reason);
    box.facts = {{"value", fmt::format("{:.3g}", part->second)},
                 {"of all stalls", fmt::format("{:.3g}%", 100 * part->second / bar.sum())}};
    chart.boxes.push_back(std::move(box));
    left += part->second;
  }
}

}  // namespace

std::optional<Chart> make_stalls(const StudySeries& series) {
  std::vector<Bar> bars = bars_of(series);
  if (bars.empty()) return std::nullopt;
  const std::vector<std::string> reasons = reasons_of(bars);
  double longest = 0;
  for (const Bar& bar : bars) longest = std::max(longest, bar.sum());
  Chart chart;
  chart.name = "stalls";
  chart.title = "What the warps waited for";
  chart.description = "Warp stalls of each variant by reason";
  for (std::size_t i = 0; i < reasons.size(); ++i)
    chart.key.push_back(
        {reason_label(reasons[i]), roofline::part_colour(i), roofline::Shape::square});
  chart.frame = {1200, 170 + 26.0 * static_cast<double>(bars.size()), 220, 64, 30, 104};
  chart.frame = roofline::with_room_for_key(chart);
  const roofline::Metric* metric = roofline::table_of("gpu").find_metric(reasons.front());
  chart.x =
      roofline::linear_axis(fmt::format("stalls{}", metric == nullptr ? "" : ", " + metric->unit),
                            "", {0, 1.05 * longest});
  std::vector<std::string> names;
  for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) {  // the first bar is on top
    add_bar(chart, *bar, reasons, static_cast<double>(names.size()));
    names.push_back(full_name(*bar->result));
  }
  chart.y = roofline::category_axis(names);
  return chart;
}

}  // namespace gpp
