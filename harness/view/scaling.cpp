#include "harness/view/scaling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Table;
using roofline::TableCell;
namespace cell = roofline::cell;
constexpr std::size_t bar_length = 30;

std::string counted(int count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string headline(const ScalingRecord& scaling) {
  std::string text =
      fmt::format("{} in {}, {}; exchange: {}, blocks by {}",
                  counted(scaling.ranks, "rank", "ranks"), counted(scaling.pools, "pool", "pools"),
                  counted(scaling.states, "state", "states"), scaling.exchange, scaling.transport);
  text += scaling.sample.empty()
              ? "\nChecked over all bands and all G'."
              : fmt::format("\nChecked over all bands at {} drawn G' (from 1): {}",
                            scaling.sample.size(), fmt::join(scaling.sample, ", "));
  return text + "\n";
}

std::string bar(double share) {
  std::string text(bar_length, '.');
  const double filled = static_cast<double>(bar_length) * std::clamp(share, 0.0, 1.0);
  std::fill_n(text.begin(), std::lround(filled), '#');
  return text;
}

roofline::TableColumn number(const char* name, const char* title, const char* note = "") {
  return {name, title, note, "", Align::right};
}

}  // namespace

Table ranks_table(const ScalingRecord& scaling) {
  Table table{"ranks",
              "Ranks",
              {number("rank", "rank"),
               {"host", "host"},
               {"device", "device"},
               number("cores", "cores"),
               number("own_g", "G'"),
               number("bands", "bands"),
               number("memory", "memory"),
               number("predicted", "predicted"),
               number("busy", "busy")},
              {},
              {}};
  for (std::size_t i = 0; i < scaling.by_rank.size(); ++i) {
    const ScalingRank& rank = scaling.by_rank[i];
    table.rows.push_back(
        {{cell::integer(static_cast<std::int64_t>(i)),
          {rank.host},
          {rank.device},
          cell::integer(rank.cores),
          cell::integer(rank.own_g),
          cell::integer(rank.bands),
          {roofline::describe_bytes(rank.measured_bytes), static_cast<double>(rank.measured_bytes)},
          {roofline::describe_bytes(rank.predicted_bytes),
           static_cast<double>(rank.predicted_bytes)},
          cell::percent(100 * rank.busy)}});
  }
  return table;
}

Table ring_table(const ScalingRecord& scaling) {
  Table table{"ring",
              "Steps",
              {number("step", "step"), number("compute", "compute", "mean of all ranks"),
               number("slowest", "slowest", "the rank that computed longest"),
               number("rank", "rank", "which one that is"),
               number("transfer", "transfer", "the blocks that came fastest"),
               number("late", "late", "longer in the mean: waits on the device for ranks"),
               number("wait", "wait", "of the transfer, what no sum hid"),
               number("overlap", "overlap", "the hidden share of the transfer")},
              {},
              {}};
  for (const ScalingStep& step : scaling.steps) {
    const auto where = [](bool there, double value) {
      return there ? std::optional(value) : std::nullopt;
    };
    const bool passes = step.transfer > 0, known = step.slowest > 0;
    table.rows.push_back(
        {{cell::integer(static_cast<std::int64_t>(table.rows.size() + 1)),
          cell::seconds(step.compute), cell::seconds(where(known, step.slowest)),
          known ? cell::integer(step.slowest_rank) : TableCell{"-"},
          cell::seconds(where(passes, step.transfer)),
          cell::seconds(where(passes && known, step.late)), cell::seconds(where(passes, step.wait)),
          cell::percent(where(passes, 100 * step.overlap))}});
  }
  return table;
}

Table scaling_table(const std::vector<ScalingPoint>& points, bool strong) {
  Table table{strong ? "strong" : "weak",
              strong ? "Strong scaling" : "Weak scaling",
              {number("ranks", "ranks"),
               number("states", "states"),
               number("time", "time"),
               number("spread", "+-"),
               number("gain", strong ? "speedup" : "time over first"),
               number("efficiency", "efficiency"),
               number("waiting", "waiting"),
               {"bar", ""}},
              {},
              {}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    const double efficiency = efficiency_of(points, i, strong);
    const double gain = strong ? speedup_of(points, i) : 1 / speedup_of(points, i);
    const bool several = point.samples.size() > 1;
    table.rows.push_back(
        {{cell::integer(point.ranks),
          cell::integer(point.states),
          cell::seconds(point.seconds()),
          cell::percent(several ? std::optional(100 * summarize(point.samples).spread())
                                : std::nullopt),
          {fmt::format("{:.3f}", gain), gain},
          cell::percent(100 * efficiency),
          cell::percent(100 * point.wait),
          {bar(efficiency)}}});
  }
  return table;
}

std::string scaling_text(const StudyRecord& study) {
  if (!study.scaling) return {};
  const ScalingRecord& scaling = *study.scaling;
  std::string text = fmt::format("{}\n{}", headline(scaling), terminal_text(ranks_table(scaling)));
  if (!scaling.steps.empty()) text += fmt::format("\n{}", terminal_text(ring_table(scaling)));
  if (scaling.strong.size() > 1)
    text += fmt::format("\nStrong scaling: the same work on more ranks.\n\n{}",
                        terminal_text(scaling_table(scaling.strong, true)));
  if (scaling.weak.size() > 1)
    text += fmt::format("\nWeak scaling: a state more for every rank more.\n\n{}",
                        terminal_text(scaling_table(scaling.weak, false)));
  return text;
}

}  // namespace gpp
