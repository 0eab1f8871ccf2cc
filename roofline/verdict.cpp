#include "roofline/verdict.h"

#include <fmt/format.h>

#include <string_view>

namespace roofline {

std::optional<Stall> top_stall(const Metrics& metrics) {
  constexpr std::string_view prefix = "stall_";
  std::optional<Stall> top;
  for (const auto& [name, value] : metrics) {
    if (!name.starts_with(prefix) || name == "stall_selected" || name == "stall_not_selected")
      continue;
    if (value > (top ? top->warps_per_issue : 0)) top = Stall{name.substr(prefix.size()), value};
  }
  return top;
}

namespace {

std::optional<Verdict> host_verdict(const RooflinePoint& point, const Metrics& metrics) {
  const auto scalar = metric_value(metrics, "scalar_fraction");
  if (!scalar) return std::nullopt;
  const double division = 100 * metric_value(metrics, "division_time").value_or(0);
  if (division >= near_share)
    return Verdict{"division", fmt::format("{:.0f}% of the time at least", division)};
  if (100 * *scalar >= near_share)
    return Verdict{"scalar code",
                   fmt::format("{:.0f}% of the instructions work on one number", 100 * *scalar)};
  return Verdict{"latency", fmt::format("{:.0f}% of {}", point.percent_of_roof, point.bound_by)};
}

}  // namespace

std::string Verdict::text() const {
  return evidence.empty() ? by : fmt::format("{} ({})", by, evidence);
}

Verdict verdict(const RooflinePoint& point, const Metrics& metrics) {
  if (point.percent_of_roof >= near_share) return {point.bound_by, ""};
  const Model* model = nvidia_table().find_model(point.precision);
  const auto pipe = model == nullptr ? std::nullopt : metric_value(metrics, model->pipe);
  if (point.bound_by == "compute" && pipe && *pipe >= near_share)
    return {point.bound_by, fmt::format("{} pipe {:.0f}%", model->title, *pipe)};
  if (const std::optional<Stall> stall = top_stall(metrics))
    return {"latency", fmt::format("{} {:.3g} per issue", stall->name, stall->warps_per_issue)};
  if (const auto host = host_verdict(point, metrics)) return *host;
  return {std::string(no_roof_near),
          fmt::format("{:.0f}% of {}", point.percent_of_roof, point.bound_by)};
}

std::vector<std::string> verdict_words(std::string_view device) {
  std::vector<std::string> words = {"compute"};
  for (const Level& level : table_of(device).levels) words.push_back(level.name);
  words.emplace_back("latency");
  if (device == "host") words.insert(words.end(), {"scalar code", "division"});
  words.emplace_back(no_roof_near);
  return words;
}

}  // namespace roofline
