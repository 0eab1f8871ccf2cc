#include "roofline/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "roofline/base/text.h"
#include "roofline/models/model_table.h"

namespace roofline {
namespace {

/// A unit counts as used up from this percentage of its peak. Between near_share and this, waiting
/// is mentioned beside the roof. Source: NVIDIA, Nsight Compute, rule "speed of light".
constexpr double used_up = 80;

/// A stall is mentioned beside the top one if it has at least this share of it, because chance
/// decides which of the two leads.
constexpr double as_much_as = 0.8;

/// The transactions of a warp when neighbours read neighbouring data in the widest pieces, 16 B per
/// thread: 16 sectors of 32 B, or 4 passes of 128 B through shared memory. More transactions
/// indicate a wall; unit stride does not. Source: Ding and Williams 2019 for walls.
constexpr double widest_sectors = 16, widest_passes = 4;

/// All stall reasons, in descending order.
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

/// The utilisation of the pipe of the point's precision in percent; 0 if unknown.
double pipe_used(const RooflinePoint& point, const Metrics& metrics) {
  const Model* model = nvidia_table().find_model(point.precision);
  return model == nullptr ? 0 : metric_value(metrics, model->pipe).value_or(0);
}

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

Cause cause_of(const Stall& stall) {
  return {Binding::latency, stall.name,
          fmt::format("{:.3g} warps per issue", stall.warps_per_issue)};
}

const RooflinePoint* instruction_point(const Facts& facts, std::string_view model) {
  if (facts.instructions == nullptr) return nullptr;
  for (const RooflinePoint& point : *facts.instructions)
    if (point.precision == model) return &point;
  return nullptr;
}

/// A roof, and the share of it that was reached.
struct Roof {
  Cause cause;
  double percent = 0;
};

/// The roof that is near: of the point, or else of all instructions.
std::optional<Roof> near_roof(const Facts& facts) {
  const auto of_its_roof = [](const RooflinePoint& point) {
    return fmt::format("{:.0f}% of its roof", point.percent_of_roof);
  };
  if (const RooflinePoint* point = facts.point; point != nullptr) {
    const Verdict found = verdict(*point, *facts.metrics);
    const double pipe = found.by == "compute" ? pipe_used(*point, *facts.metrics) : 0;
    if (found.by == point->bound_by)
      return Roof{
          {Binding::roof, found.by, found.evidence.empty() ? of_its_roof(*point) : found.evidence},
          std::max(point->percent_of_roof, pipe)};
  }
  const RooflinePoint* point = instruction_point(facts, "instructions");
  if (point == nullptr || point->percent_of_roof < near_share) return std::nullopt;
  const std::string by = point->bound_by == "compute" ? "issue" : point->bound_by;
  return Roof{{Binding::roof, by, of_its_roof(*point)}, point->percent_of_roof};
}

Advice roofs_and_stalls(const Facts& facts) {
  const std::vector<Stall> stalls = stalls_of(*facts.metrics);
  if (const std::optional<Roof> roof = near_roof(facts)) {
    Advice advice{roof->cause};
    if (roof->percent < used_up && !stalls.empty() && stalls.front().name != "math_pipe_throttle")
      advice.also = cause_of(stalls.front());
    return advice;
  }
  if (!stalls.empty()) {
    Advice advice{cause_of(stalls.front())};
    if (stalls.size() > 1 &&
        stalls[1].warps_per_issue >= as_much_as * stalls.front().warps_per_issue)
      advice.also = cause_of(stalls[1]);
    return advice;
  }
  if (facts.point == nullptr)
    return {{Binding::unknown, std::string(no_roof_near), "nothing was counted"}};
  const Verdict found = verdict(*facts.point, *facts.metrics);
  const Binding binding = found.by == no_roof_near ? Binding::unknown
                          : found.by == "latency"  ? Binding::latency
                                                   : Binding::code;
  return {{binding, found.by, found.evidence}};
}

/// A wall that may explain causes, with its model and the transactions of the widest accesses.
struct WallOf {
  std::vector<std::string_view> causes;
  std::string_view model, wall, what;
  double widest = 0;
};

std::optional<Cause> wall_of(const Facts& facts, const Cause& cause) {
  static const WallOf walls[] = {{{"long_scoreboard", "lg_throttle", "l1", "l2", "dram"},
                                  "global_access",
                                  "global_scattered",
                                  "sectors per load or store",
                                  widest_sectors},
                                 {{"short_scoreboard", "mio_throttle", "shared"},
                                  "shared_access",
                                  "shared_one_bank",
                                  "passes per access",
                                  widest_passes}};
  for (const WallOf& behind : walls) {
    if (std::ranges::find(behind.causes, cause.name) == behind.causes.end()) continue;
    const RooflinePoint* point = instruction_point(facts, behind.model);
    if (point == nullptr || point->levels.empty() || !(point->levels.front().intensity > 0))
      return std::nullopt;
    const double transactions = 1 / point->levels.front().intensity;
    if (transactions > behind.widest * (1 + tolerance))
      return Cause{Binding::wall, std::string(behind.wall),
                   fmt::format("{:.3g} {}", transactions, behind.what)};
  }
  return std::nullopt;
}

std::optional<Cause> launching(const Facts& facts) {
  if (!facts.launch_cost || !(facts.seconds > 0)) return std::nullopt;
  const double percent = 100 * facts.launches * facts.launch_cost->seconds / facts.seconds;
  if (!(percent >= near_share)) return std::nullopt;
  return Cause{Binding::launch, "launch",
               fmt::format("{:.0f} launches take {:.0f}% of the time", facts.launches,
                           std::min(percent, 100.0))};
}

std::map<std::string, AdviceRow, std::less<>> read_advice() {
  std::map<std::string, AdviceRow, std::less<>> rows;
  for (const TableBlock& block :
       read_blocks(embedded_table("advice.txt"), "advice.txt",
                   {{"source", {"text"}}, {"cause", {"title", "look", "source"}}}))
    if (block.kind == "cause") rows[block.name] = {block.text("title"), block.text("look")};
  return rows;
}

}  // namespace

std::optional<Stall> top_stall(const Metrics& metrics) {
  const std::vector<Stall> stalls = stalls_of(metrics);
  return stalls.empty() ? std::nullopt : std::optional(stalls.front());
}

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

const AdviceRow* find_advice(std::string_view cause) {
  static const auto rows = read_advice();
  const auto found = rows.find(cause);
  return found == rows.end() ? nullptr : &found->second;
}

std::string_view name_of(Binding binding) {
  constexpr std::string_view names[] = {"roof", "latency", "wall", "launch", "code", "unknown"};
  return names[static_cast<std::size_t>(binding)];
}

Advice advice_of(const Facts& facts) {
  Advice advice = roofs_and_stalls(facts);
  if (const auto wall = wall_of(facts, advice.cause)) advice = {*wall, advice.cause};
  if (const auto launch = launching(facts)) advice = {*launch, advice.cause};
  if (advice.also && advice.also->binding == Binding::unknown) advice.also.reset();
  if (const AdviceRow* row = find_advice(advice.cause.name)) advice.next = row->look;
  return advice;
}

std::string title_of(const Cause& cause) {
  const AdviceRow* row = find_advice(cause.name);
  return row == nullptr ? visible(cause.name) : row->title;
}

std::string cause_text(const Cause& cause) {
  std::string shown = cause.evidence;
  // Other profilers know a stall by its own name.
  if (find_metric("stall_" + cause.name) != nullptr)
    shown = cause.name + (shown.empty() ? "" : ", ") + shown;
  const std::string text = fmt::format("{}: {}", name_of(cause.binding), title_of(cause));
  return shown.empty() ? text : fmt::format("{} ({})", text, shown);
}

}  // namespace roofline
