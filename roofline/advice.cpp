#include "roofline/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

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

/// Returns the point's limiting roof, if it has one.
std::optional<Roof> roof_of_point(const Facts& facts) {
  if (facts.point == nullptr) return std::nullopt;
  const RooflinePoint& point = *facts.point;
  const Verdict found = verdict(point, *facts.metrics);
  if (found.by != point.bound_by) return std::nullopt;
  const std::string evidence = found.evidence.empty()
                                   ? fmt::format("{:.0f}% of its roof", point.percent_of_roof)
                                   : found.evidence;
  const double pipe = found.by == "compute" ? pipe_used(point, *facts.metrics) : 0;
  return Roof{{Binding::roof, found.by, evidence}, std::max(point.percent_of_roof, pipe)};
}

std::optional<Roof> roof_of_instructions(const Facts& facts) {
  const RooflinePoint* point = instruction_point(facts, "instructions");
  if (point == nullptr || point->percent_of_roof < near_share) return std::nullopt;
  const std::string name = point->bound_by == "compute" ? "issue" : point->bound_by;
  return Roof{{Binding::roof, name, fmt::format("{:.0f}% of its roof", point->percent_of_roof)},
              point->percent_of_roof};
}

/// A stall to mention beside a roof that is near but not fully used.
std::optional<Cause> waiting_beside(const Roof& roof, const std::vector<Stall>& stalls) {
  if (roof.percent >= used_up || stalls.empty() || stalls.front().name == "math_pipe_throttle")
    return std::nullopt;
  return cause_of(stalls.front());
}

/// The causes of waiting, if no roof is near.
Advice waiting(const Facts& facts, const std::vector<Stall>& stalls) {
  if (!stalls.empty()) {
    Advice advice{cause_of(stalls.front()), {}, {}, {}};
    if (stalls.size() > 1 &&
        stalls[1].warps_per_issue >= as_much_as * stalls.front().warps_per_issue)
      advice.also = cause_of(stalls[1]);
    return advice;
  }
  if (facts.point == nullptr)
    return {{Binding::unknown, std::string(no_roof_near), "nothing was counted"}, {}, {}, {}};
  const Verdict found = verdict(*facts.point, *facts.metrics);
  const Binding binding = found.by == no_roof_near ? Binding::unknown
                          : found.by == "latency"  ? Binding::latency
                                                   : Binding::code;
  return {{binding, found.by, found.evidence}, {}, {}, {}};
}

Advice roofs_and_stalls(const Facts& facts) {
  const std::vector<Stall> stalls = stalls_of(*facts.metrics);
  std::optional<Roof> roof = roof_of_point(facts);
  if (!roof) roof = roof_of_instructions(facts);
  return roof ? Advice{roof->cause, waiting_beside(*roof, stalls), {}, {}} : waiting(facts, stalls);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// A wall that may explain a cause, with its model and the transactions of the widest accesses.
struct WallOf {
  std::string_view model, wall, what;
  double widest = 0;
};

std::optional<WallOf> wall_behind(const Cause& cause) {
  if (is_one_of(cause.name, {"long_scoreboard", "lg_throttle", "l1", "l2", "dram"}))
    return WallOf{"global_access", "global_scattered", "sectors per load or store", widest_sectors};
  if (is_one_of(cause.name, {"short_scoreboard", "mio_throttle", "shared"}))
    return WallOf{"shared_access", "shared_one_bank", "passes per access", widest_passes};
  return std::nullopt;
}

std::optional<Cause> wall_of(const Facts& facts, const Cause& cause) {
  const std::optional<WallOf> behind = wall_behind(cause);
  const RooflinePoint* point = behind ? instruction_point(facts, behind->model) : nullptr;
  if (point == nullptr || point->levels.empty() || !(point->levels.front().intensity > 0))
    return std::nullopt;
  const double transactions = 1 / point->levels.front().intensity;
  if (transactions <= behind->widest * (1 + tolerance)) return std::nullopt;
  return Cause{Binding::wall, std::string(behind->wall),
               fmt::format("{:.3g} {}", transactions, behind->what)};
}

std::optional<Cause> launching(const Facts& facts) {
  if (!facts.launch_cost || !(facts.seconds > 0)) return std::nullopt;
  const double percent = 100 * facts.launches * facts.launch_cost->seconds / facts.seconds;
  if (!(percent >= near_share)) return std::nullopt;
  return Cause{Binding::launch, "launch",
               fmt::format("{:.0f} launches take {:.0f}% of the time", facts.launches,
                           std::min(percent, 100.0))};
}

}  // namespace

std::vector<AdviceRow> read_advice_table(std::string_view text, const std::string& file) {
  std::map<std::string, std::string> sources;
  std::vector<AdviceRow> rows;
  for (const TableBlock& block :
       read_blocks(text, file, {{"source", {"text"}}, {"cause", {"title", "look", "source"}}})) {
    if (block.kind == "source") {
      sources.emplace(block.name, block.text("text"));
      continue;
    }
    const auto source = sources.find(block.text("source"));
    if (source == sources.end())
      block.refuse(block.find("source")->at,
                   fmt::format("no source '{}' above", visible(block.text("source"))));
    rows.push_back({block.name, block.text("title"), block.text("look"), source->second});
  }
  return rows;
}

const std::vector<AdviceRow>& advice_table() {
  static const std::vector<AdviceRow> table =
      read_advice_table(embedded_table("advice.txt"), "advice.txt");
  return table;
}

const AdviceRow* find_advice(std::string_view cause) {
  const std::vector<AdviceRow>& rows = advice_table();
  const auto found = std::ranges::find(rows, cause, &AdviceRow::cause);
  return found == rows.end() ? nullptr : &*found;
}

std::string_view name_of(Binding binding) {
  constexpr std::string_view names[] = {"roof", "latency", "wall", "launch", "code", "unknown"};
  return names[static_cast<std::size_t>(binding)];
}

Advice advice_of(const Facts& facts) {
  Advice advice = roofs_and_stalls(facts);
  if (const auto wall = wall_of(facts, advice.cause)) advice = {*wall, advice.cause, {}, {}};
  if (const auto launch = launching(facts)) advice = {*launch, advice.cause, {}, {}};
  if (advice.also && advice.also->binding == Binding::unknown) advice.also.reset();
  if (const AdviceRow* row = find_advice(advice.cause.name)) {
    advice.next = row->look;
    advice.source = row->source;
  }
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

std::string looks_text(const std::vector<Advice>& all, std::size_t width) {
  std::string text;
  std::vector<std::string> told;
  for (const Advice& advice : all) {
    const std::string& cause = advice.cause.name;
    if (advice.next.empty() || std::ranges::find(told, cause) != told.end()) continue;
    told.push_back(cause);
    text += paragraph(fmt::format("{}: {}", title_of(advice.cause), advice.next), 2, width);
  }
  return text;
}

}  // namespace roofline
