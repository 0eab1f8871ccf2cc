// Finds the counters that explain a step.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "harness/record/derive.h"
#include "harness/view/steps.h"
#include "roofline/base/units.h"
#include "roofline/points.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;

// A counter explains a step if the seconds that it accounts for, before and after, change with the
// time. explanation_rule() describes the rule.

constexpr double least_change = 0.05;  ///< minimum change of a counter; less may be chance
constexpr double least_share = 0.1;    ///< minimum share of a run, before or after, to be a cause
constexpr double least_effect = 0.1;   ///< minimum share of the change of time to count
constexpr double least_change_of_time = 0.01;
constexpr std::size_t most_marked = 2;
constexpr double told_beside = 0.25;  ///< minimum share of the change for a second reason
constexpr double most_of_it = 0.5;    ///< minimum share of the change for the main reason

using Seconds = std::function<std::optional<double>(const ShownRow&)>;

/// How a counter may affect time: by its own seconds, through another counter, or by its ratio.
struct Effect {
  std::string kind;      ///< only the strongest counter of a kind is marked
  bool is_rate = false;  ///< larger values save time: a hit rate, an occupancy
  Seconds seconds = {};
  std::string through = {};
};

struct Evidence {
  double value = 0;
  std::string unit;
};

struct Change {
  std::string name, unit;
  double before = 0, after = 0;
  double ratio_log = 0;  ///< log of after / before; infinite if zero before
  double share = 0;      ///< share of the change of time, if marked
  bool marked = false;
};

std::optional<double> metric(const ShownRow& row, const std::string& name) {
  return roofline::metric_value(row.result->counted.metrics, name);
}

double seconds_of(const ShownRow& row) { return row.result->timing().median; }

std::optional<double> busy_seconds(const ShownRow& row, const char* unit) {
  const auto busy = metric(row, unit);
  return busy ? std::optional(*busy / 100 * seconds_of(row)) : std::nullopt;
}

/// The minimum time that a host's divisions take.
std::optional<double> division_seconds(const ShownRow& row) {
  const auto share = metric(row, "division_time");
  return share ? std::optional(*share * seconds_of(row)) : std::nullopt;
}

std::optional<double> level_seconds(const ShownRow& row, const std::string& level) {
  const roofline::RooflinePoint* const point = row.result->roofline();
  const roofline::LevelPoint* const found = point == nullptr ? nullptr : point->find_level(level);
  return found == nullptr ? std::nullopt : std::optional(found->seconds);
}

std::optional<double> shared_seconds(const ShownRow& row) {
  const roofline::Ceilings* ceilings = row.machine->ceilings;
  const roofline::Ceiling* roof = ceilings == nullptr ? nullptr : ceilings->find("shared");
  const auto bytes = metric(row, "shared_bytes");
  return roof != nullptr && roof->measured > 0 && bytes ? std::optional(*bytes / roof->measured)
                                                        : std::nullopt;
}

/// The time that warps spent in this stall.
std::optional<double> stall_seconds(const ShownRow& row, const std::string& name) {
  double all = 0;
  for (const auto& [one, value] : row.result->counted.metrics)
    if (one.starts_with("stall_")) all += value;
  const auto own = metric(row, name);
  return own && all > 0 ? std::optional(*own / all * seconds_of(row)) : std::nullopt;
}

std::optional<double> compute_seconds(const ShownRow& row, const std::string& precision) {
  for (const roofline::RooflinePoint& point : row.result->rooflines)
    if (point.precision == precision && roofline::is_shown(point)) return point.compute_seconds;
  return std::nullopt;
}

/// False for warps that issue or could issue, because they do not wait.
bool is_stall(const std::string& name) {
  return name.starts_with("stall_") && name != "stall_selected" && name != "stall_not_selected";
}

const std::map<std::string, Effect>& effects() {
  const auto level = [](const char* name) {
    return Effect{name, false, [name](const ShownRow& row) { return level_seconds(row, name); }};
  };
  const auto busy = [](const char* kind, const char* unit) {
    return Effect{kind, false, [unit](const ShownRow& row) { return busy_seconds(row, unit); }};
  };
  static const std::map<std::string, Effect> all = {
      {"fp64_pipe_instructions", busy("arithmetic", "fp64_pipe")},
      {"instructions", busy("issue", "issue")},
      {"dram_bytes", level("dram")},
      {"l2_sm_bytes", level("l2")},
      {"l1_bytes", level("l1")},
      {"l2_bytes", level("l2")},
      {"division_time", {"divisions", false, division_seconds}},
      {"scalar_fraction", {"vectors", false}},
      {"shared_bytes", {"shared", false, shared_seconds}},
      {"l1_hit", {"hits", true, {}, "stall_long_scoreboard"}},
      {"l2_hit", {"hits", true, {}, "stall_long_scoreboard"}},
      {"spills per thread", {"spills", false, {}, "l1_bytes"}},
      {"occupancy", {"occupancy", true}},
      {"launch occupancy", {"occupancy", true}}};
  return all;
}

/// Returns nothing for a counter that cannot affect time.
std::optional<Effect> effect_of(const std::string& name, const std::string& kind) {
  if (is_stall(name))
    return Effect{name, false, [name](const ShownRow& row) { return stall_seconds(row, name); }};
  for (const roofline::Model& model : roofline::table_of(kind).models)
    if (model.work == name && !model.moves && kind == "host")
      return Effect{"arithmetic", false};  // far from its roof, but its work takes time
    else if (model.work == name && !model.moves)
      return Effect{"arithmetic", false, [precision = model.name](const ShownRow& row) {
                      return compute_seconds(row, precision);
                    }};
  const auto known = effects().find(name);
  return known == effects().end() ? std::nullopt : std::optional(known->second);
}

/// The unit of a metric that is not in the GPUs' table, found from a processor's name for it.
std::string unit_of(const std::string& name) {
  if (name.ends_with("_bytes")) return "B";
  if (name.ends_with("_flop") || name.find("_flop_") != std::string::npos) return "FLOP";
  return name.ends_with("_fraction") || name == "division_time" ? "1" : "";
}

/// Metrics and launch facts, in the order of the metrics' table.
std::vector<std::pair<std::string, Evidence>> evidence_of(const ShownRow& row) {
  std::vector<std::pair<std::string, Evidence>> all;
  for (const roofline::Metric& known : roofline::metric_table())
    // Counting slows kernels down, so its seconds cannot be compared.
    if (const auto value = metric(row, known.name); value && known.name != "seconds")
      all.push_back({known.name, {*value, known.unit}});
  for (const auto& [name, value] : row.result->counted.metrics)
    if (roofline::find_metric(name) == nullptr && std::isfinite(value))
      all.push_back({name, {value, unit_of(name)}});
  if (const std::vector<Launch> launches = large_launches(*row.result); !launches.empty()) {
    all.push_back({"launch occupancy", {100 * launches.front().occupancy, "%"}});
    all.push_back({"spills per thread", {static_cast<double>(launches.front().spill_bytes), "B"}});
  }
  return all;
}

bool time_changed(const ShownRow& before, const ShownRow& after) {
  const Timing a = before.result->timing(), b = after.result->timing();
  if (std::abs(b.median / a.median - 1) < least_change_of_time) return false;
  const bool known = std::isfinite(a.low) && std::isfinite(a.high) && std::isfinite(b.low) &&
                     std::isfinite(b.high);
  return !known || a.high < b.low || b.high < a.low;
}

/// Numbers per instruction if this share of instructions is scalar and the others have four lanes.
double per_instruction(double scalar) { return scalar + 4 * (1 - scalar); }

/// The share of the change of time that a counter explains; 0 if it explains nothing.
double share_of_change(const std::string& name, const std::vector<Change>& changes,
                       const ShownRow& before, const ShownRow& after) {
  const std::optional<Effect> effect = effect_of(name, after.result->kind);
  const auto found = std::find_if(changes.begin(), changes.end(),
                                  [&name](const Change& one) { return one.name == name; });
  if (!effect || found == changes.end()) return 0;
  const double first = seconds_of(before), second = seconds_of(after), change = found->ratio_log;
  if (!(std::abs(change) >= std::log(1 + least_change)) ||
      (change > 0) != ((second > first) == !effect->is_rate))
    return 0;
  // A counter that acts through another one ranks after it.
  if (!effect->through.empty())
    return 0.99 * share_of_change(effect->through, changes, before, after);
  if (!effect->seconds) {
    const double by = name == "scalar_fraction"
                          ? std::log(per_instruction(found->before) / per_instruction(found->after))
                          : change;
    return std::min(1.0, std::abs(by / std::log(second / first)));
  }
  const auto then = effect->seconds(before), now = effect->seconds(after);
  if (!then || !now || std::max(*then / first, *now / second) < least_share) return 0;
  const double share = (*now - *then) / (second - first);
  if (share < least_effect) return 0;
  return after.result->kind == "host" ? std::min(1.0, share) : share;
}

/// Marks the counters that explain most of the change of time, one per kind.
void mark(std::vector<Change>& changes, const ShownRow& before, const ShownRow& after) {
  if (!time_changed(before, after)) return;
  std::vector<std::pair<double, Change*>> ranked;
  for (Change& one : changes)
    if (const double share = share_of_change(one.name, changes, before, after); share > 0)
      ranked.emplace_back(share, &one);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::set<std::string> kinds;
  for (const auto& [share, one] : ranked) {
    if (kinds.size() == most_marked) break;
    one->marked = kinds.insert(effect_of(one->name, after.result->kind)->kind).second;
    one->share = one->marked ? share : 0;
  }
}

/// The changes of counters that both rows have, starting with those that explain the time.
std::vector<Change> changes_between(const ShownRow& before, const ShownRow& after) {
  const auto evidence = evidence_of(before);
  const std::map<std::string, Evidence> old(evidence.begin(), evidence.end());
  std::vector<Change> changes;
  for (const auto& [name, now] : evidence_of(after))
    if (const auto then = old.find(name); then != old.end()) {
      const double was = then->second.value;
      changes.push_back({name, then->second.unit, was, now.value,
                         was == now.value ? 0.0 : std::log(now.value / was)});
    }
  mark(changes, before, after);
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.share > b.share; });
  return changes;
}

std::string change_text(double ratio_log) {
  if (!std::isfinite(ratio_log))
    return ratio_log > 0 ? "from nothing" : ratio_log < 0 ? "to nothing" : "";
  const double ratio = std::exp(ratio_log);
  if (std::abs(ratio - 1) < 0.0005) return "same";
  if (ratio >= 2 || ratio <= 0.1) return roofline::times_text(ratio);
  return fmt::format("{:+.2g}%", 100 * (ratio - 1));
}

std::string label_of(const std::string& name) {
  if (const roofline::Metric* known = roofline::find_metric(name))
    return roofline::metric_label(*known);
  std::string text = name;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// Returns "FP64 operations" for fp64_flop; for others, the label in tables.
std::string name_in_words(const std::string& name, const std::string& kind) {
  for (const roofline::Model& model : roofline::table_of(kind).models)
    if (model.work == name && !model.moves) return model.title + " operations";
  return label_of(name);
}

std::string in_words(const Change& one, const std::string& kind) {
  const std::string was = roofline::metric_text(one.before, one.unit);
  const std::string is = roofline::metric_text(one.after, one.unit);
  const char* moved = one.after > one.before ? "rose" : "fell";
  if (one.name == "scalar_fraction") {
    if (one.before >= 0.5 && one.after < 0.5)
      return fmt::format("the loop became vector code (scalar instructions {} to {})", was, is);
    return fmt::format("scalar instructions {} from {} to {}", moved, was, is);
  }
  if (one.name == "division_time")
    return fmt::format("divisions take {} of the time (at least {}, then {})",
                       one.after > one.before ? "more" : "less", was, is);
  return fmt::format("{} {} from {} to {}", name_in_words(one.name, kind), moved, was, is);
}

roofline::TableRow change_row(const Change& one) {
  TableCell name{label_of(one.name)};
  if (const roofline::Metric* known = roofline::find_metric(one.name)) name.note = known->meaning;
  return {{name,
           {roofline::metric_text(one.before, one.unit), one.before},
           {roofline::metric_text(one.after, one.unit), one.after},
           {change_text(one.ratio_log), one.ratio_log}},
          {},
          one.marked ? "good" : ""};
}

}  // namespace

std::optional<roofline::Table> explanation_table(const ShownResults& shown, const ShownRow& row) {
  const ShownRow* before = shown.before(row);
  if (before == nullptr) return std::nullopt;
  const std::vector<Change> changes = changes_between(*before, row);
  if (changes.empty()) return std::nullopt;
  const std::string &old = before->result->variant, &now = row.result->variant;
  roofline::Table table{"explanation",
                        fmt::format("{}: {} to {}, time {} to {} ({})", row.series_label(), old,
                                    now, roofline::describe_seconds(seconds_of(*before)),
                                    roofline::describe_seconds(seconds_of(row)),
                                    roofline::times_text(seconds_of(*before) / seconds_of(row))),
                        {{"counter", ""},
                         {"before", old, "", "", Align::right},
                         {"after", now, "", "", Align::right},
                         {"change", "change", "", "", Align::right}},
                        {},
                        {}};
  for (const Change& one : changes) table.rows.push_back(change_row(one));
  if (!changes.front().marked)
    table.notes.push_back(
        time_changed(*before, row)
            ? "None of these meets the rule for “explains” at the end of this section. The rule "
              "does not ask every counter, so the cause may still be among them."
            : "The two times do not differ by more than they scatter.");
  return table;
}

std::string explained_by(const StudyRecord& study, const Result& before, const Result& after) {
  ShownMachine machine;
  machine.ceilings = ceilings_of_kind(study, after.kind);
  const std::vector<Change> changes =
      changes_between({&machine, &before, {}}, {&machine, &after, {}});
  if (changes.empty() || changes.front().share < most_of_it) return {};
  std::string text = in_words(changes.front(), after.kind);
  if (changes.size() > 1 && changes[1].share >= told_beside)
    text += "; " + in_words(changes[1], after.kind);
  return text;
}

const char* explanation_rule() {
  return "Only what can cause time is asked: FP64 work, warp instructions, bytes at each level "
         "of memory, warps’ stalls, occupancy, hit rates, spills; on a host also divisions and "
         "the share of scalar instructions. Clock, cycles and how busy a "
         "pipe was say how fast "
         "something ran, not why; FP16 instructions of an FP64 kernel load constants. A counter "
         "accounts for seconds: bytes and operations for the time they need at the measured "
         "roof, instructions for that of their pipe or of the issue slots, a stall for its share "
         "of the warps’ time. It "
         "explains a step if it changed by at least 5% in the direction "
         "of the time (more of a cost where time rose, less of a rate where it rose), if its "
         "seconds are at least a tenth of the run, before or after, and if they changed by at "
         "least a tenth of what the time changed. A hit rate explains through the wait for "
         "memory (long scoreboard), spills through the bytes of L1: only where that explains "
         "too. Occupancy counts by its ratio, as do a host’s operations and scalar "
         "instructions, vectors being of four. The two that account for most are marked. Where "
         "two medians differ by less than 1%, or their 95% intervals overlap, there is nothing "
         "to explain. The rule finds what goes along with a change; it proves no cause.";
}

}  // namespace gpp
