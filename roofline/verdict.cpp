#include "roofline/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofline {

std::vector<Stall> stalls_of(const Metrics& metrics) {
  constexpr std::string_view prefix = "stall_";
  std::vector<Stall> stalls;
  for (const auto& [name, value] : metrics)
    if (name.starts_with(prefix) && name != "stall_selected" && name != "stall_not_selected" &&
        value > 0)
      stalls.push_back({name.substr(prefix.size()), value});
  std::ranges::stable_sort(stalls, std::greater(), &Stall::warps_per_issue);
  return stalls;
}

std::optional<Stall> top_stall(const Metrics& metrics) {
  const std::vector<Stall> stalls = stalls_of(metrics);
  return stalls.empty() ? std::nullopt : std::optional(stalls.front());
}

double pipe_used(const RooflinePoint& point, const Metrics& metrics) {
  const Model* model = nvidia_table().find_model(point.precision);
  return model == nullptr ? 0 : metric_value(metrics, model->pipe).value_or(0);
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
                   fmt::format("{:.0f}% of the numbers are worked on one by one", 100 * *scalar)};
  return Verdict{"latency", fmt::format("{:.0f}% of {}", point.percent_of_roof, point.bound_by)};
}

}  // namespace

std::string Verdict::text() const {
  return evidence.empty() ? by : fmt::format("{} ({})", by, evidence);
}

Verdict verdict(const RooflinePoint& point, const Metrics& metrics) {
  if (point.percent_of_roof >= near_share) return {point.bound_by, ""};
  const double pipe = pipe_used(point, metrics);
  if (point.bound_by == "compute" && pipe >= near_share)
    return {point.bound_by, fmt::format("{} pipe {:.0f}%",
                                        nvidia_table().find_model(point.precision)->title, pipe)};
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
