// Finds the counter that explains a step: the seconds that it accounts for, before and after,
// change with the time. explanation_rule() describes the rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/record/comparison.h"
#include "harness/view/columns.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/points.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
using Value = std::optional<double>;

constexpr double least_change = 0.05;  ///< minimum change of a counter; less may be chance
constexpr double least_share = 0.1;    ///< of a run, and of the change of time, to be a cause
constexpr double most_of_it = 0.5;     ///< minimum share of the change to be told

struct Change {
  std::string name, unit;
  double before = 0, after = 0;
  double share = 0;  ///< share of the change of time that it explains; 0: none

  double ratio_log() const { return before == after ? 0.0 : std::log(after / before); }
};

Value metric(const ShownRow& row, const std::string& name) {
  return roofline::metric_value(row.result->counted.metrics, name);
}

double time_of(const ShownRow& row) { return row.result->timing().median; }

/// The time of a share, in units of which `whole` is all.
Value part_of_time(const ShownRow& row, Value share, double whole) {
  return share && whole > 0 ? Value(*share / whole * time_of(row)) : std::nullopt;
}

/// The seconds that a counter accounts for in a run; empty for counters that cause no time.
Value seconds_of(const ShownRow& row, const std::string& name) {
  static const std::map<std::string, const char*> levels = {{"dram_bytes", "dram"},
                                                            {"l2_sm_bytes", "l2"},
                                                            {"l2_bytes", "l2"},
                                                            {"l1_bytes", "l1"},
                                                            {"shared_bytes", "shared"}};
  if (const auto level = levels.find(name); level != levels.end()) {
    const roofline::RooflinePoint* point = row.result->roofline();
    const roofline::LevelPoint* at = point == nullptr ? nullptr : point->find_level(level->second);
    return at == nullptr ? std::nullopt : Value(at->seconds);
  }
  if (name == "fp64_pipe_instructions") return part_of_time(row, metric(row, "fp64_pipe"), 100);
  if (name == "instructions") return part_of_time(row, metric(row, "issue"), 100);
  if (name == "division_time") return part_of_time(row, metric(row, name), 1);
  // Warps that issue, or could issue, do not wait.
  if (name.starts_with("stall_") && name != "stall_selected" && name != "stall_not_selected") {
    double all = 0;
    for (const auto& [one, value] : row.result->counted.metrics)
      if (one.starts_with("stall_")) all += value;
    return part_of_time(row, metric(row, name), all);
  }
  for (const roofline::RooflinePoint& point : row.result->rooflines)
    if (const roofline::Model* model =
            roofline::table_of(row.result->kind).find_model(point.precision);
        model != nullptr && model->work == name && !model->moves && roofline::is_shown(point))
      return point.compute_seconds;
  return std::nullopt;
}

/// Numbers per instruction if this share of instructions is scalar and the others have four lanes.
double per_instruction(double scalar) { return scalar + 4 * (1 - scalar); }

/// The share of the change of time that a counter explains; 0 if it explains nothing.
double share_of_change(const Change& change, const ShownRow& before, const ShownRow& after) {
  const double first = time_of(before), second = time_of(after);
  if (std::abs(change.ratio_log()) < std::log(1 + least_change) ||
      (change.after > change.before) != (second > first))
    return 0;
  if (change.name == "scalar_fraction")
    return std::abs(std::log(per_instruction(change.before) / per_instruction(change.after)) /
                    std::log(second / first));
  if (change.name.ends_with("_flop") && after.result->kind == "host")  // far from its roof
    return std::abs(change.ratio_log() / std::log(second / first));
  const Value then = seconds_of(before, change.name), now = seconds_of(after, change.name);
  if (!then || !now || std::max(*then / first, *now / second) < least_share) return 0;
  const double share = (*now - *then) / (second - first);
  return share < least_share ? 0 : share;
}

bool time_changed(const ShownRow& before, const ShownRow& after) {
  const Verdict verdict =
      compare_times(before.result->trusted().samples, after.result->trusted().samples, 1, 1);
  return verdict == Verdict::faster || verdict == Verdict::slower;
}

/// The changes of counters that both rows have: first the one that explains most of the time, then
/// the largest.
std::vector<Change> changes_between(const ShownRow& before, const ShownRow& after) {
  const bool explains = time_changed(before, after);
  std::vector<Change> changes;
  for (const auto& [name, now] : after.result->counted.metrics) {
    const Value then = metric(before, name);
    // Counting slows kernels down, so its seconds cannot be compared.
    if (!then || !std::isfinite(now) || name == "seconds") continue;
    const roofline::Metric* known = roofline::find_metric(name);
    Change& change =
        changes.emplace_back(Change{name, known == nullptr ? "" : known->unit, *then, now});
    if (explains) change.share = share_of_change(change, before, after);
  }
  std::ranges::stable_sort(changes, std::greater(), [](const Change& one) {
    return std::pair(one.share, std::abs(one.ratio_log()));
  });
  return changes;
}

std::string change_text(const Change& change) {
  const double ratio = std::exp(change.ratio_log());
  if (!(std::isfinite(ratio) && ratio > 0)) return change.before == 0 ? "from 0" : "to 0";
  if (std::abs(ratio - 1) < 0.0005) return "same";
  return ratio >= 2 || ratio <= 0.5 ? roofline::times_text(ratio)
                                    : fmt::format("{:+.2g}%", 100 * (ratio - 1));
}

std::string label_of(const std::string& name) {
  const roofline::Metric* known = roofline::find_metric(name);
  return known != nullptr ? roofline::metric_label(*known) : roofline::replaced(name, {{'_', " "}});
}

roofline::TableRow change_row(const Change& one) {
  TableCell name{label_of(one.name)};
  if (const roofline::Metric* known = roofline::find_metric(one.name)) name.note = known->meaning;
  return {{name,
           {roofline::metric_text(one.before, one.unit), one.before},
           {roofline::metric_text(one.after, one.unit), one.after},
           {change_text(one), one.ratio_log()}}};
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
                                    now, roofline::describe_seconds(time_of(*before)),
                                    roofline::describe_seconds(time_of(row)),
                                    roofline::times_text(time_of(*before) / time_of(row))),
                        {{"counter", ""},
                         {"before", old, "", "", Align::right},
                         {"after", now, "", "", Align::right},
                         {"change", "change", "", "", Align::right}},
                        {},
                        {}};
  for (const Change& one : changes) table.rows.push_back(change_row(one));
  if (changes.front().share > 0)
    table.rows.front().tone = "good";
  else
    table.notes.emplace_back(
        time_changed(*before, row)
            ? "None of these meets the rule for “explains” at the end of this section; the cause "
              "may still be among them."
            : "The two times do not differ by more than they scatter.");
  return table;
}

std::string explained_by(const Result& before, const Result& after) {
  const std::vector<Change> changes =
      changes_between({nullptr, &before, {}}, {nullptr, &after, {}});
  if (changes.empty() || changes.front().share < most_of_it) return {};
  const Change& most = changes.front();
  return fmt::format(
      "{} {} from {} to {}", label_of(most.name), most.after > most.before ? "rose" : "fell",
      roofline::metric_text(most.before, most.unit), roofline::metric_text(most.after, most.unit));
}

const char* explanation_rule() {
  return "Only what can cause time is asked, by the seconds that it accounts for: operations and "
         "bytes of each level at their measured roofs, instructions by how busy their pipe or the "
         "issue slots were, stalls by their share of the warps’ time; of a host "
         "divisions, and by their ratio operations and scalar instructions, vectors being of four. "
         "A counter explains a step "
         "if it changed by at least 5% in the direction of the time, if its seconds are at least a "
         "tenth of the run, before or after, and if they changed by at least a tenth of what the "
         "time changed. The one that accounts for most is marked. The rule finds what goes along "
         "with a change; it proves no cause.";
}

}  // namespace gpp
