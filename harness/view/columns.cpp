#include "harness/view/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>

#include "roofline/advice.h"
#include "roofline/base/text.h"
#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"

namespace gpp {
namespace {

using roofline::Table;
using roofline::TableCell;
using roofline::unknown_text;
namespace cell = roofline::cell;
using Value = std::optional<double>;
using Row = const ShownRow&;
using Point = const roofline::RooflinePoint&;
using ShownColumn = roofline::ColumnOf<ShownRow>;
using Columns = std::vector<ShownColumn>;

ShownColumn words(const std::string& name, const std::string& title, const std::string& note,
                  std::function<std::string(Row)> text) {
  return {{name, title, note}, [text](Row row) { return TableCell{text(row)}; }};
}

ShownColumn number(const std::string& name, const std::string& title, const std::string& note,
                   std::function<TableCell(Row)> cell) {
  return {{name, title, note, "", roofline::Align::right}, std::move(cell)};
}

/// The columns that name a row; a row with these alone is left out.
Columns name_columns(bool several) {
  return {{{"variant", "id"},
           [](Row row) {
             return TableCell{row.result->variant, NAN, "", "step-" + row.result->variant};
           }},
          words("step", "step", "", [](Row row) { return own_step(*row.result); }),
          words("model", "model", "", [](Row row) { return row.model; }),
          words("machine", "machine", "",
                [several](Row row) { return several ? row.machine->label : ""; })};
}

// ---- Times and energy ---------------------------------------------------------------------------

/// Adds a P if the power cap limited the clock, and a star if the clock was low.
TableCell time_cell(Row row) {
  const Result& result = *row.result;
  if (!result.timed()) return {unknown_text};
  TableCell time = cell::seconds(result.timing().median);
  time.text += result.limited_by("power") ? "P" : result.clocks.throttled > 0 ? "*" : " ";
  return time;
}

/// Half the width of the median's interval; unknown for one sample.
TableCell spread_cell(Row row) {
  if (!row.result->timed()) return {unknown_text};
  const Trusted trusted = row.result->trusted();
  const bool known = trusted.samples.size() > 1;
  const double spread = known ? 100 * row.result->timing().spread() : NAN;
  if (trusted.disturbed) return {"disturbed", spread};
  return cell::percent(known ? Value(spread) : std::nullopt);
}

/// A positive number, or unknown.
Value positive(double value) {
  return value > 0 && std::isfinite(value) ? Value(value) : std::nullopt;
}

/// Gains at an equal clock are told where clocks hide one.
bool clocks_differ(const ShownResults& shown) {
  return std::ranges::any_of(shown.rows(), [](Row row) {
    const Result* first = first_step_of(row.study(), *row.result);
    return first != nullptr && gain_that_clocks_hide(*first, *row.result);
  });
}

Columns time_columns(const ShownResults& shown) {
  const std::string work = shown.kernel().work;
  const std::string over = shown.rows().empty() ? "v1" : baseline_of(shown.rows().front().study());
  return {words("passed", "check", "",
                [](Row row) { return row.result->status == Status::passed ? "ok" : "FAILED"; }),
          number("time", "time ", "median of the timed runs", time_cell),
          number("spread", "+-", "half the 95% interval of the median", spread_cell),
          number("runs", "runs", "",
                 [](Row row) { return cell::integer(std::ssize(row.result->samples)); }),
          number("work_rate", work + "/s", "",
                 [](Row row) {
                   return cell::scientific(positive(terms_per_second(row.study(), *row.result)));
                 }),
          number("speedup", over == "v1" ? "over v1" : "over first",
                 over + " of the same model and device",
                 [](Row row) { return cell::times(speedup(row.study(), *row.result)); }),
          number("in_cycles", "in cycles", "the gain at an equal clock",
                 [differ = clocks_differ(shown)](Row row) {
                   return cell::times(differ ? speedup_in_cycles(row.study(), *row.result)
                                             : std::nullopt);
                 }),
          number("prepared", "prepared", "what the host does once to the input, untimed",
                 [](Row row) { return cell::seconds(positive(row.result->preparation_seconds)); }),
          number("error", "error", "largest relative error against the reference", [](Row row) {
            return cell::scientific(positive(row.result->check.max_relative_error), 1);
          })};
}

/// The columns of energy, of a kernel's own, and the published speedup.
Columns further_columns(const Kernel& kernel) {
  Columns columns = {
      number("watts", "W", "power while it runs back to back",
             [](Row row) {
               return cell::short_number(row.result->energy_told(&EnergyRecord::watts));
             }),
      number("joules", "J/run", "energy of a run",
             [](Row row) {
               return cell::short_number(row.result->energy_told(&EnergyRecord::joules_per_run));
             }),
      number("joules_of_work", "J/1e9", "energy of 1e9 " + kernel.work, [](Row row) {
        return cell::short_number(joules_per_billion(row.study(), *row.result));
      })};
  for (const KernelColumn& column : kernel.columns)
    columns.push_back(words("own", column.title, column.legend,
                            [cell = column.cell](Row row) { return cell(*row.result); }));
  const bool known = kernel.published != nullptr;
  columns.push_back(number("published", known ? kernel.published().device : "published",
                           known ? kernel.published().legend : "", [](Row row) {
                             return cell::times(published_speedup(row.study(), *row.result));
                           }));
  return columns;
}

// ---- Places under the roofs ---------------------------------------------------------------------

/// A column about the row's point; unknown without one.
ShownColumn placed(const std::string& name, const std::string& title, const char* note,
                   roofline::Align align, std::function<TableCell(Row, Point)> cell) {
  return {{name, title, note, "", align}, [cell](Row row) {
            return row.point == nullptr ? TableCell{unknown_text} : cell(row, *row.point);
          }};
}

/// The precision, "FP64 TENSOR", with its share of all operations unless it is nearly all.
TableCell precision_cell(Row, Point point) {
  std::string name = point.precision;
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return c == '_' ? ' ' : static_cast<char>(std::toupper(c));
  });
  return {point.share < 1 - roofline::least_share_shown
              ? fmt::format("{} {:.1f}%", name, 100 * point.share)
              : name};
}

/// A speed in "FLOP/s", or in "OP/s" for integers.
TableCell speed_cell(Row row, Point point) {
  const roofline::Model* model = roofline::table_of(row.result->kind).find_model(point.precision);
  return cell::rate(point.flop_per_s, model == nullptr ? "FLOP/s" : model->rate_unit());
}

Columns place_columns() {
  using enum roofline::Align;
  Columns columns = {
      placed("counted", "work", "counted by hardware, or computed from the source and the input",
             left,
             [](Row, Point point) { return TableCell{point.analytic ? "computed" : "counted"}; }),
      placed("precision", "of", "", left, precision_cell),
      placed("speed", "speed", "where no operation is done, bytes of DRAM per second", right,
             speed_cell),
      placed("of_peak", "of peak", "", right,
             [](Row, Point point) { return cell::percent(point.percent_of_peak); }),
      placed("of_roof", "of roof", "of the lowest roof of all levels", right,
             [](Row, Point point) { return cell::percent(point.percent_of_roof); }),
      placed("bound_by", "bound by",
             "that roof, where half of it or of the pipe was used; else what holds it back, where "
             "that is known",
             left,
             [](Row row, Point point) {
               const roofline::Verdict found = roofline::verdict(point, row.metrics());
               return TableCell{roofline::level_label(row.result->kind, found.by)};
             }),
      placed("pipe", "pipe", "", right,
             [](Row row, Point point) {
               return cell::percent(
                   roofline::metric_value(row.metrics(), point.precision + "_pipe"));
             }),
      words("top_stall", "top stall", "warps per issue", [](Row row) {
        const auto stall = roofline::top_stall(row.metrics());
        return stall ? fmt::format("{} {:.2f}", stall->name, stall->warps_per_issue) : unknown_text;
      })};
  for (const auto& [level, title] :
       {std::pair("l1", "L1"), {"shared", "shared"}, {"l2", "L2"}, {"l3", "L3"}, {"dram", "DRAM"}})
    columns.push_back(placed(level, title, "work per byte of that level", right,
                             [level = level](Row, Point point) {
                               return cell::short_number(roofline::intensity_at(&point, level));
                             }));
  return columns;
}

// ---- Launches, machine code, instructions -------------------------------------------------------

/// A fact of the launch with most threads, which does the work.
ShownColumn of_launch(const char* title, const char* unit, double (*value)(const Launch&)) {
  return number(title, title, "", [value, unit](Row row) {
    const auto main = std::ranges::max_element(row.result->launches, {}, [](const Launch& launch) {
      return launch.blocks * launch.threads_per_block;
    });
    if (main == row.result->launches.end()) return TableCell{unknown_text};
    return TableCell{fmt::format("{:.0f}{}", value(*main), unit), value(*main)};
  });
}

/// Launches, and the floating-point instructions in the text of a host's variant, as the compiler
/// made them.
Columns code_columns() {
  Columns columns = {
      of_launch("registers", "", [](const Launch& one) { return 1.0 * one.registers; }),
      of_launch("occupancy", "%", [](const Launch& one) { return 100 * one.occupancy; })};
  using Mix = roofline::InstructionMix;
  for (const auto& [title, kind, note] :
       {std::tuple("scalar", &Mix::scalar, "instructions in its text that work on one number"),
        {"128-bit", &Mix::packed_128, "on 2 numbers of FP64"},
        {"256-bit", &Mix::packed_256, "on 4"},
        {"512-bit", &Mix::packed_512, "on 8"},
        {"divide", &Mix::divisions, "divisions among them"},
        {"root", &Mix::square_roots, "square roots"}})
    columns.push_back(number(title, title, note, [kind = kind](Row row) {
      const int count = row.result->code.*kind;
      return count == 0 ? TableCell{unknown_text} : cell::integer(count);
    }));
  columns.push_back(words("calls", "calls", "functions of libraries", [](Row row) {
    return fmt::format("{}", fmt::join(row.result->code.calls, ", "));
  }));
  return columns;
}

/// The row's instructions, in the columns of the instruction roofline: "instructions_warps".
Columns instruction_columns() {
  Columns columns;
  for (const auto& [head, cell] : roofline::instruction_columns("inst/txn ")) {
    columns.push_back({head, [cell = cell](Row row) {
                         const Result& result = *row.result;
                         return cell({result.variant, result.counted.metrics,
                                      result.timing().median, result.instructions});
                       }});
    columns.back().head.name = "instructions_" + head.name;
  }
  return columns;
}

bool says_nothing(const TableCell& cell) { return cell.text.empty() || cell.text == unknown_text; }

}  // namespace

Table table_of(const ShownResults& shown, const std::vector<ShownRow>& rows,
               const std::vector<std::string>& names, const std::string& name,
               const std::string& caption) {
  const bool several =  // else the model's label tells machines apart
      !shown.machines().empty() && shown.machines().front().named != shown.machines().back().named;
  const std::vector<Columns> all = {
      name_columns(several), time_columns(shown), further_columns(shown.kernel()),
      place_columns(),       code_columns(),      instruction_columns()};
  Columns chosen;
  std::vector<bool> tells;  // more than the row's name
  for (const std::string& wanted : names)
    for (const Columns& columns : all)
      for (const ShownColumn& column : columns)
        if (column.head.name == wanted) {
          chosen.push_back(column);
          tells.push_back(&columns != &all.front());
        }
  Table table = roofline::table_of(chosen, rows, {name, caption, {}, {}, {}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i].tags = rows[i].tags();
    if (rows[i].result->status == Status::failed) table.rows[i].tone = "bad";
  }
  std::erase_if(table.rows, [&tells](const roofline::TableRow& row) {
    for (std::size_t i = 0; i < tells.size(); ++i)
      if (tells[i] && !says_nothing(row.cells[i])) return false;
    return true;
  });
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
  const bool one =
      std::ranges::all_of(places, [](Row row) { return row.point->precision == "fp64"; });
  return table_of(
      shown, places,
      {"model", "variant", "counted", one ? "" : "precision", "speed", "of_peak", "of_roof",
       "bound_by", "l1", "shared", "l2", "l3", "dram", "pipe", "top_stall", "machine"},
      "places", "Every variant under its roofs");
}

Table instructions_table(const ShownResults& shown) {
  std::vector<std::string> names = {"variant", "model", "machine"};
  for (const ShownColumn& column : instruction_columns()) names.push_back(column.head.name);
  return table_of(shown, shown.timed(), names, "instructions", "Instructions of every variant");
}

std::vector<std::string> advice_sentences(const LinkedAdvice& advice) {
  std::vector<std::string> sentences;
  std::string next = advice.next;
  const StepAim* told = nullptr;
  for (const auto& [cause, step] : advice.causes) {
    sentences.push_back(fmt::format("{}: {}.", sentences.empty() ? "Bound by" : "Beside that",
                                    roofline::visible(cause_text(cause))));
    if (step != nullptr && step != told)
      next += fmt::format(" {} acts on {}, by {}.", step->id, title_of(cause), step->by);
    told = step;
  }
  if (!next.empty()) sentences.push_back(next);
  return sentences;
}

}  // namespace gpp
