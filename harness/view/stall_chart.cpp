// A chart of what warps waited for: one bar per variant, divided by stall.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/view/study_charts.h"
#include "roofline/models/model_table.h"
#include "roofline/view/axes.h"

namespace gpp {
namespace {

/// The maximum number of parts; further reasons share one.
constexpr std::size_t most_parts = 9;
constexpr const char* others = "all others";

/// Stalls per issue by reason, positive. Issuing is not a stall, though the counters list it.
roofline::Metrics stalls_of(const ShownRow& row) {
  roofline::Metrics stalls;
  if (row.result->timed())
    for (const auto& [name, value] : row.metrics())
      if (name.starts_with("stall_") && name != "stall_selected" && value > 0) stalls[name] = value;
  return stalls;
}

std::string reason_label(std::string name) {
  if (name.starts_with("stall_")) name.erase(0, 6);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::optional<roofline::Chart> make_stalls(const StudySeries& series) {
  roofline::Chart chart{"stalls", "What the warps waited for", "",
                        "Warp stalls of each variant by reason"};
  std::map<std::string, double> totals;
  std::vector<std::string> names, reasons;
  double longest = 0;
  for (const ShownRow& row : series.rows)
    for (const auto& [name, value] : stalls_of(row)) totals[name] += value;
  for (const auto& [name, value] : totals) reasons.push_back(name);
  if (reasons.empty()) return std::nullopt;
  std::ranges::stable_sort(reasons, std::greater(),
                           [&totals](const auto& name) { return totals[name]; });
  const bool many = reasons.size() > most_parts;
  if (many) reasons.resize(most_parts);
  const std::vector<std::string> alone = reasons;
  if (many) reasons.emplace_back(others);
  for (auto row = series.rows.rbegin(); row != series.rows.rend(); ++row) {  // the first is on top
    roofline::Metrics parts;
    double sum = 0, left = 0;
    for (const auto& [name, value] : stalls_of(*row)) {
      parts[std::ranges::find(alone, name) == alone.end() ? others : name] += value;
      sum += value;
    }
    if (parts.empty()) continue;
    const double y = static_cast<double>(names.size());
    names.push_back(full_name(*row->result));
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      const double value = parts[reasons[i]];
      const std::string reason = reason_label(reasons[i]);
      roofline::ChartBox box{{"stall", reason, names.back(), roofline::part_colour(i)},
                             left,
                             y - 0.35,
                             left + value,
                             y + 0.35};
      left += value;
      if (value < 0.01 * sum) continue;  // it would not be seen
      box.headline = fmt::format("{}: {}", names.back(), reason);
      box.facts = {{"value", fmt::format("{:.3g}", value)},
                   {"of all stalls", fmt::format("{:.3g}%", 100 * value / sum)}};
      chart.boxes.push_back(std::move(box));
    }
    longest = std::max(longest, sum);
  }
  for (std::size_t i = 0; i < reasons.size(); ++i)
    chart.key.push_back(
        {reason_label(reasons[i]), roofline::part_colour(i), roofline::Shape::square});
  chart.frame = {1200, 170 + 26.0 * static_cast<double>(names.size()), 220, 64, 30, 104};
  const roofline::Metric* metric = roofline::table_of("gpu").find_metric(alone.front());
  chart.x = {"stalls" + (metric == nullptr ? "" : ", " + metric->unit), "", false, 0,
             1.05 * longest};
  chart.y = roofline::category_axis(names);
  finish(chart);
  return chart;
}

}  // namespace gpp
