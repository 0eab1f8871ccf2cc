#include "harness/view/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roofline/base/text.h"

namespace gpp {
namespace {

using roofline::Table;

/// Numbers are on the right, names on the left.
Table titled(const char* name, const char* caption, const std::vector<std::string>& titles) {
  Table table{name, caption, {}, {}, {}};
  for (const std::string& title : titles)
    table.columns.push_back(
        {title, title, "", "",
         title == "host" || title == "device" ? roofline::Align::left : roofline::Align::right});
  return table;
}

std::string seconds(double value, bool known = true) {
  return known ? roofline::describe_seconds(value) : "-";
}

std::string percent(double share, bool known = true) {
  return known ? roofline::percent_text(100 * share) : "-";
}

Table ranks_table(const ScalingRecord& scaling) {
  Table table =
      titled("ranks", "Ranks",
             {"rank", "host", "device", "cores", "G'", "bands", "memory", "predicted", "busy"});
  for (const ScalingRank& rank : scaling.by_rank)
    table.add({std::to_string(table.rows.size()), rank.host, rank.device,
               std::to_string(rank.cores), std::to_string(rank.own_g), std::to_string(rank.bands),
               roofline::describe_bytes(rank.measured_bytes),
               roofline::describe_bytes(rank.predicted_bytes), percent(rank.busy)});
  return table;
}

Table ring_table(const ScalingRecord& scaling) {
  Table table =
      titled("ring", "Steps",
             {"step", "compute", "slowest", "rank", "transfer", "late", "wait", "overlap"});
  for (const ScalingStep& step : scaling.steps) {
    const bool passes = step.transfer > 0, known = step.slowest > 0;  // not in older records
    table.add({std::to_string(table.rows.size() + 1), seconds(step.compute),
               seconds(step.slowest, known), known ? std::to_string(step.slowest_rank) : "-",
               seconds(step.transfer, passes), seconds(step.late, passes && known),
               seconds(step.wait, passes), percent(step.overlap, passes)});
  }
  table.notes.emplace_back(
      "compute: mean of all ranks. slowest, rank: that which computed longest. transfer: of the "
      "blocks that came fastest; late: so much longer in the mean, waits for ranks. wait: of the "
      "transfer, what no sum hid; overlap: the hidden share.");
  return table;
}

Table points_table(const std::vector<ScalingPoint>& points, bool strong) {
  Table table = titled(strong ? "strong" : "weak",
                       strong ? "Strong scaling: the same work on more ranks"
                              : "Weak scaling: a state more for every rank more",
                       {"ranks", "states", "time", "+-", strong ? "speedup" : "time over first",
                        "efficiency", "waiting"});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    const double gain = speedup_of(points, i);
    table.add({std::to_string(point.ranks), std::to_string(point.states), seconds(point.seconds()),
               percent(summarize(point.samples).spread(), point.samples.size() > 1),
               fmt::format("{:.3f}", strong ? gain : 1 / gain),
               percent(efficiency_of(points, i, strong)), percent(point.wait)});
  }
  return table;
}

}  // namespace

std::string scaling_headline(const ScalingRecord& scaling) {
  return fmt::format(
      "{} ranks in {} pools; {} states; exchange: {}, blocks by {}. Checked over all bands {}.",
      scaling.ranks, scaling.pools, scaling.states, scaling.exchange, scaling.transport,
      scaling.sample.empty() ? "and all G'"
                             : fmt::format("at {} drawn G' (from 1): {}", scaling.sample.size(),
                                           fmt::join(scaling.sample, ", ")));
}

std::vector<Table> scaling_tables(const ScalingRecord& scaling) {
  std::vector<Table> tables = {ranks_table(scaling)};
  if (!scaling.steps.empty()) tables.push_back(ring_table(scaling));
  if (scaling.strong.size() > 1) tables.push_back(points_table(scaling.strong, true));
  if (scaling.weak.size() > 1) tables.push_back(points_table(scaling.weak, false));
  return tables;
}

std::string scaling_text(const StudyRecord& study) {
  if (!study.scaling) return {};
  std::string text = roofline::paragraph(scaling_headline(*study.scaling));
  for (const Table& table : scaling_tables(*study.scaling))
    text += fmt::format("\n{}\n\n{}", table.caption, terminal_text(table));
  return text;
}

}  // namespace gpp
