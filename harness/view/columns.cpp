#include "harness/view/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "roofline/advice.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"

namespace gpp {
namespace {

using roofline::Table;
using roofline::TableCell;
using roofline::unknown_text;
namespace cell = roofline::cell;
using Value = std::optional<double>;

Columns name_columns(bool several) {
  return {{{"variant", "id"},
           [](const ShownRow& row) {
             return TableCell{row.result->variant, NAN, "", "step-" + row.result->variant};
           }},
          words("step", "step", [](const ShownRow& row) { return own_step(*row.result); }),
          words("model", "model", [](const ShownRow& row) { return row.model; }),
          words("machine", "machine",
                [several](const ShownRow& row) { return several ? row.machine->label : ""; }),
          words("series", "", [](const ShownRow& row) { return row.series_label(); }),
          words("passed", "check", [](const ShownRow& row) {
            return row.result->status == Status::passed ? "ok" : "FAILED";
          })};
}

// ---- Times --------------------------------------------------------------------------------------

/// Adds a P if the power cap limited the clock, and a star if the clock was low.
TableCell time_cell(const ShownRow& row) {
  const Result& result = *row.result;
  if (!result.timed()) return {unknown_text};
  TableCell time = cell::seconds(result.timing().median);
  time.text += result.limited_by("power") ? "P" : result.clocks.throttled > 0 ? "*" : " ";
  return time;
}

/// Half the width of the median's interval; unknown for one sample.
TableCell spread_cell(const ShownRow& row) {
  if (!row.result->timed()) return {unknown_text};
  const Trusted trusted = row.result->trusted();
  const Timing timing = row.result->timing();
  const bool known = trusted.samples.size() > 1 && std::isfinite(timing.low);
  if (trusted.disturbed) return {"disturbed", known ? 100 * timing.spread() : NAN};
  return cell::percent(known ? Value(100 * timing.spread()) : std::nullopt);
}

TableCell error_cell(const ShownRow& row) {
  const double error = row.result->check.max_relative_error;
  return std::isfinite(error) ? cell::scientific(error, 1) : TableCell{unknown_text};
}

/// True if speedups would differ at equal clocks.
bool clocks_decide(const ShownRow& row) {
  const Result* first = first_step_of(row.study(), *row.result);
  return first != nullptr && gain_that_clocks_hide(*first, *row.result);
}

Columns time_columns(const ShownResults& shown) {
  const std::string work = shown.kernel().work;
  const std::string over = shown.rows().empty() ? "v1" : baseline_of(shown.rows().front().study());
  const bool clocks = std::ranges::any_of(shown.rows(), clocks_decide);
  return {
      number("time", "time ", time_cell, "median of the timed runs", "s"),
      number("spread", "+-", spread_cell,
             "half the 95% interval of the median; disturbed: others took more than 5% of the "
             "device",
             "%"),
      number("runs", "runs",
             [](const ShownRow& row) {
               return cell::integer(static_cast<std::int64_t>(row.result->samples.size()));
             }),
      number("work_rate", work + "/s",
             [](const ShownRow& row) {
               const double rate = terms_per_second(row.study(), *row.result);
               return cell::scientific(rate > 0 ? Value(rate) : std::nullopt);
             }),
      number(
          "speedup", over == "v1" ? "over v1" : "over first",
          [](const ShownRow& row) { return cell::times(speedup(row.study(), *row.result)); },
          fmt::format("over {} of the same model and device", over)),
      number(
          "in_cycles", "in cycles",
          [clocks](const ShownRow& row) {
            return cell::times(clocks ? speedup_in_cycles(row.study(), *row.result) : std::nullopt);
          },
          "the gain at an equal clock"),
      number("over_before", "over the step before",
             [&shown](const ShownRow& row) {
               const ShownRow* before = shown.before(row);
               if (before == nullptr) return TableCell{unknown_text};
               const double factor = before->result->timing().median / row.result->timing().median;
               return TableCell{
                   fmt::format("{} over {}", roofline::times_text(factor), before->result->variant),
                   factor};
             }),
      number("error", "error", error_cell, "largest relative error of all sums")};
}

Columns energy_columns(const std::string& work) {
  const auto energy = [](const char* name, const char* title, const char* note,
                         double (EnergyRecord::*fact)() const) {
    return number(
        name, title,
        [fact](const ShownRow& row) { return cell::short_number(row.result->energy_told(fact)); },
        note, title);
  };
  return {energy("watts", "W", "power while it runs back to back", &EnergyRecord::watts),
          energy("joules", "J/run", "energy of a run", &EnergyRecord::joules_per_run),
          number(
              "joules_of_work", "J/1e9",
              [](const ShownRow& row) {
                return cell::short_number(joules_per_billion(row.study(), *row.result));
              },
              "energy of 1e9 " + work)};
}

/// The columns that a kernel defines, and the published speedup.
Columns kernel_columns(const ShownResults& shown) {
  Columns columns;
  const Kernel& kernel = shown.kernel();
  for (const KernelColumn& column : kernel.columns)
    columns.push_back(words("own", column.title, [cell = column.cell](const ShownRow& row) {
      return cell(*row.result);
    }));
  const bool known = kernel.published != nullptr;
  columns.push_back(number(
      "published", known ? kernel.published().device : "published",
      [](const ShownRow& row) { return cell::times(published_speedup(row.study(), *row.result)); },
      known ? kernel.published().legend : ""));
  return columns;
}

// ---- Places under the roofs ---------------------------------------------------------------------

/// A column about the row's point; unknown without one.
ShownColumn placed(const std::string& name, const std::string& title, roofline::Align align,
                   std::function<TableCell(const ShownRow&, const roofline::RooflinePoint&)> cell) {
  return {{name, title, "", "", align}, [cell](const ShownRow& row) {
            return row.point == nullptr ? TableCell{unknown_text} : cell(row, *row.point);
          }};
}

/// The precision, "FP64 TENSOR", with its share of all operations unless it is nearly all.
TableCell precision_cell(const ShownRow&, const roofline::RooflinePoint& point) {
  std::string name = point.precision;
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return c == '_' ? ' ' : static_cast<char>(std::toupper(c));
  });
  return {point.share < 1 - roofline::least_share_shown
              ? fmt::format("{} {:.1f}%", name, 100 * point.share)
              : name};
}

/// A speed in "FLOP/s", or in "OP/s" for integers.
TableCell speed_cell(const ShownRow& row, const roofline::RooflinePoint& point) {
  const roofline::Model* model = roofline::table_of(row.result->kind).find_model(point.precision);
  return cell::rate(point.flop_per_s, model == nullptr ? "FLOP/s" : model->rate_unit());
}

/// The limit, or with its evidence: "latency (long_scoreboard 4.69 per issue)".
TableCell limit_cell(const ShownRow& row, const roofline::RooflinePoint& point, bool evidence) {
  const roofline::Verdict found = roofline::verdict(point, row.metrics());
  return {roofline::level_label(row.result->kind, found.by) +
          (evidence ? found.text().substr(found.by.size()) : "")};
}

Columns place_columns() {
  using roofline::RooflinePoint;
  using enum roofline::Align;
  Columns columns = {
      placed("counted", "", left,
             [](const ShownRow&, const RooflinePoint& point) {
               return TableCell{point.analytic ? "o" : "*"};
             }),
      placed("precision", "of", left, precision_cell),
      placed("speed", "speed", right, speed_cell),
      placed("of_peak", "of peak", right,
             [](const ShownRow&, const RooflinePoint& point) {
               return cell::percent(point.percent_of_peak);
             }),
      placed("of_roof", "of roof", right,
             [](const ShownRow&, const RooflinePoint& point) {
               return cell::percent(point.percent_of_roof);
             }),
      placed("of_lowest_roof", "of its lowest roof", right,
             [](const ShownRow& row, const RooflinePoint& point) {
               return TableCell{
                   fmt::format("{} of {}", roofline::percent_text(point.percent_of_roof),
                               roofline::level_label(row.result->kind, point.bound_by)),
                   point.percent_of_roof};
             }),
      placed("bound_by", "bound by", left,
             [](const ShownRow& row, const RooflinePoint& point) {
               return limit_cell(row, point, false);
             }),
      placed("held_back_by", "held back by", left,
             [](const ShownRow& row, const RooflinePoint& point) {
               return limit_cell(row, point, true);
             }),
      placed("pipe", "pipe", right,
             [](const ShownRow& row, const RooflinePoint& point) {
               return cell::percent(
                   roofline::metric_value(row.metrics(), point.precision + "_pipe"));
             }),
      words("top_stall", "top stall", [](const ShownRow& row) {
        const auto stall = roofline::top_stall(row.metrics());
        return stall ? fmt::format("{} {:.2f}", stall->name, stall->warps_per_issue) : unknown_text;
      })};
  for (const auto& [level, title] :
       {std::pair("l1", "L1"), {"shared", "shared"}, {"l2", "L2"}, {"l3", "L3"}, {"dram", "DRAM"}})
    columns.push_back(
        placed(level, title, right, [level = level](const ShownRow&, const RooflinePoint& point) {
          return cell::short_number(roofline::intensity_at(&point, level));
        }));
  return columns;
}

Columns columns_of_kernels() {
  return {words("kernel", "kernel", [](const ShownRow& row) { return row.kernel_name; }),
          number("launches", "launches",
                 [](const ShownRow& row) { return cell::integer(row.kernel->launches); }),
          number("of_time", "of time", [](const ShownRow& row) {
            return cell::percent(100 * *row.kernel->seconds / row.result->timing().median);
          })};
}

}  // namespace

Table table_of(const ShownResults& shown, const std::vector<ShownRow>& rows,
               const std::vector<std::string>& names, const std::string& name,
               const std::string& caption) {
  const Kernel& kernel = shown.kernel();
  Columns chosen;
  const bool several =  // else the model's label tells machines apart
      !shown.machines().empty() && shown.machines().front().named != shown.machines().back().named;
  const std::vector<Columns> all = {
      name_columns(several),   time_columns(shown), energy_columns(kernel.work),
      kernel_columns(shown),   place_columns(),     columns_of_kernels(),
      evidence_columns(kernel)};
  for (const std::string& wanted : names)
    for (const Columns& columns : all)
      for (const ShownColumn& column : columns)
        if (column.head.name == wanted) chosen.push_back(column);
  Table table = roofline::table_of(chosen, rows, {name, caption, {}, {}, {}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i].tags = rows[i].tags();
    if (rows[i].result->status == Status::failed) table.rows[i].tone = "bad";
  }
  return without_empty_columns(std::move(table));
}

Table results_table(const ShownResults& shown) {
  return table_of(
      shown, shown.timed(),
      {"variant", "step", "model", "machine", "time", "spread", "work_rate", "speedup", "published",
       "watts", "joules", "joules_of_work", "registers", "occupancy", "error"},
      "results", "Results of every variant that passed its check");
}

Table places_table(const ShownResults& shown) {
  const std::vector<ShownRow> places = shown.places();
  const bool one = std::ranges::all_of(
      places, [](const ShownRow& row) { return row.point->precision == "fp64"; });
  return table_of(
      shown, places,
      {"model", "variant", "counted", one ? "" : "precision", "speed", "of_peak", "of_roof",
       "bound_by", "l1", "shared", "l2", "l3", "dram", "pipe", "top_stall", "machine"},
      "places", "Every variant under its roofs");
}

Table kernels_table(const ShownResults& shown) {
  return table_of(shown, shown.kernels(),
                  {"model", "variant", "kernel", "launches", "of_time", "speed", "of_roof",
                   "bound_by", "l1", "l2", "dram", "top_stall", "machine"},
                  "kernels",
                  "Kernels of variants that have several. The time is divided as the hardware’s "
                  "durations are.");
}

Table step_table(const ShownResults& shown, const std::string& variant) {
  return table_of(
      shown, shown.timed(variant),
      {"series",         "time",         "over_before",  "speedup", "work_rate", "speed",
       "of_lowest_roof", "held_back_by", "hottest_line", "next",    "scalar",    "128-bit",
       "256-bit",        "512-bit",      "divide",       "root",    "calls",     "registers",
       "occupancy",      "spilled",      "threads",      "error"},
      "step-" + variant, "What the variant took and used");
}

Table instructions_table(const ShownResults& shown) {
  const std::vector<ShownRow> rows = shown.timed();
  Table table = table_of(shown, rows, {"variant", "model", "machine"}, "instructions",
                         "Instructions of every variant");
  for (const auto& one : roofline::instruction_columns("inst/txn ")) {
    table.columns.push_back(one.head);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Result& result = *rows[i].result;
      table.rows[i].cells.push_back(one.cell(
          {result.variant, result.counted.metrics, result.timing().median, result.instructions}));
    }
  }
  return table;
}

}  // namespace gpp
