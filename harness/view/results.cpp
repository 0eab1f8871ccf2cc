#include "harness/view/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/view/roofline.h"
#include "harness/view/steps.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
using roofline::ViewTable;
namespace cell = roofline::cell;
using ShownColumn = roofline::ColumnOf<ShownRow>;

ShownColumn words(const char* name, const std::string& title, const std::string& note,
                  std::function<TableCell(const ShownRow&)> cell) {
  return {{name, title, note}, std::move(cell)};
}

ShownColumn number(const char* name, const std::string& title, const std::string& note,
                   const char* unit, std::function<TableCell(const ShownRow&)> cell) {
  return {{name, title, note, unit, Align::right}, std::move(cell)};
}

/// Passed and timed rows, with the tags by which the page's switches hide them.
ViewTable table_of(const ShownResults& shown, const std::vector<ShownColumn>& columns,
                   ViewTable table) {
  std::vector<ShownRow> rows;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed()) rows.push_back(row);
  table = roofline::table_of(columns, rows, std::move(table));
  for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].tags = rows[i].tags();
  return table;
}

/// The columns that identify a row; with several machines, the machine too.
std::vector<ShownColumn> name_columns(const ShownResults& shown, bool with_step) {
  std::vector<ShownColumn> columns = {words("variant", "variant", "", [](const ShownRow& row) {
    TableCell text{row.result->variant};
    text.link = "step-" + row.result->variant;
    return text;
  })};
  if (with_step)
    columns.push_back(words("step", "step", "",
                            [](const ShownRow& row) { return TableCell{own_step(*row.result)}; }));
  columns.push_back(
      words("model", "model", "", [](const ShownRow& row) { return TableCell{row.model}; }));
  if (shown.machines().size() > 1)
    columns.push_back(words("machine", "machine", "",
                            [](const ShownRow& row) { return TableCell{row.machine->label}; }));
  return columns;
}

TableCell spread_cell(const ShownRow& row) {
  const Trusted trusted = row.result->trusted();
  const Timing timing = row.result->timing();
  const bool known = trusted.samples.size() > 1 && std::isfinite(timing.low);
  if (trusted.disturbed) return {"disturbed", known ? 100 * timing.spread() : NAN};
  return cell::percent(known ? std::optional(100 * timing.spread()) : std::nullopt);
}

/// The column "v100", with a legend on the publication.
std::optional<ShownColumn> published_column(const ShownResults& shown) {
  const Kernel& kernel = kernel_of(shown.rows().front().study());
  if (kernel.published == nullptr || shown.of_a_ladder()) return std::nullopt;
  const Published& published = kernel.published();
  return number("published", published.device, published.legend, "",
                [&published](const ShownRow& row) {
                  return cell::times(published.speedup(row.result->variant));
                });
}

}  // namespace

ViewTable results_table(const ShownResults& shown) {
  ViewTable table{"results", "Results of every variant that passed its check", {}, {}, {}};
  if (shown.rows().empty()) return table;
  const std::string work = kernel_of(shown.rows().front().study()).work;
  std::vector<ShownColumn> columns = name_columns(shown, true);
  columns.push_back(
      number("time", "time", "median of the timed runs", "s",
             [](const ShownRow& row) { return cell::seconds(row.result->timing().median); }));
  columns.push_back(number("spread", "±",
                           "half the 95% interval of the median; disturbed: others took more than "
                           "5% of the device",
                           "%", spread_cell));
  columns.push_back(number("work_rate", work + "/s", "", "", [](const ShownRow& row) {
    return cell::scientific(terms_per_second(row.study(), *row.result));
  }));
  columns.push_back(number(
      "speedup", "speedup", fmt::format("over {} of the same model and device", shown.baseline()),
      "", [](const ShownRow& row) { return cell::times(speedup(row.study(), *row.result)); }));
  if (auto published = published_column(shown)) columns.push_back(*std::move(published));
  const auto energy = [&columns](const char* name, const char* title, const char* note,
                                 const char* unit, double (EnergyRecord::*fact)() const) {
    columns.push_back(number(name, title, note, unit, [fact](const ShownRow& row) {
      return cell::short_number(row.result->energy_told(fact));
    }));
  };
  energy("watts", "W", "power while it runs back to back", "W", &EnergyRecord::watts);
  energy("joules", "J/run", "energy of a run", "J", &EnergyRecord::joules_per_run);
  columns.push_back(
      number("joules_of_work", "J/1e9", "energy of 1e9 " + work, "J", [](const ShownRow& row) {
        return cell::short_number(joules_per_billion(row.study(), *row.result));
      }));
  columns.push_back(number("registers", "registers", "", "", registers_cell));
  columns.push_back(number("occupancy", "occupancy", "", "%", occupancy_cell));
  columns.push_back(number("error", "error", "largest relative error of all sums", "", error_cell));
  return table_of(shown, columns, std::move(table));
}

ViewTable for_page(ViewTable table, const std::vector<const ShownRow*>& rows,
                   const ShownResults& shown) {
  const bool several = shown.machines().size() > 1;
  if (several) table.columns.push_back({"machine", "machine"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    roofline::TableRow& row = table.rows[i];
    row.tags = rows[i]->tags();
    row.cells[1].link = "step-" + rows[i]->result->variant;
    if (several) row.cells.push_back({rows[i]->machine->label});
  }
  return table;
}

ViewTable places_table(const ShownResults& shown) {
  std::vector<PlacedResult> places;
  std::vector<const ShownRow*> rows;
  for (const ShownRow& row : shown.rows())
    for (const PlacedResult& place : places_of(*row.result)) {
      places.push_back(place);
      rows.push_back(&row);
    }
  return for_page(places_table(places), rows, shown);
}

ViewTable instructions_table(const ShownResults& shown) {
  std::vector<ShownColumn> columns = name_columns(shown, false);
  for (const roofline::ColumnOf<roofline::InstructionRow>& one :
       roofline::instruction_columns("inst/txn "))
    columns.push_back({one.head, [cell = one.cell](const ShownRow& row) {
                         return cell({row.result->variant,
                                      roofline::instruction_facts(row.result->counted.metrics,
                                                                  row.result->timing().median),
                                      row.result->instructions});
                       }});
  return table_of(shown, columns, {"instructions", "Instructions of every variant", {}, {}, {}});
}

}  // namespace gpp
