#include "harness/view/energy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/energy_model.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::EnergyParts;
using roofline::TableCell;
namespace cell = roofline::cell;

/// A row with its energy, measured and expected.
struct EnergyRow {
  ShownRow shown;
  EnergyRecord energy;
  std::optional<EnergyParts> expected;
};

using EnergyColumn = roofline::ColumnOf<EnergyRow>;

EnergyRow energy_row(const ShownRow& row) {
  EnergyRow found{row, *row.result->energy, std::nullopt};
  if (row.machine->ceilings == nullptr) return found;
  if (const auto prices = roofline::energy_prices(row.machine->ceilings->power))
    found.expected = roofline::predicted_energy(*prices, row.result->counted.metrics,
                                                row.result->energy->run_seconds);
  return found;
}

EnergyColumn energy_number(const char* name, const char* title, const std::string& note,
                           const char* unit,
                           std::function<std::optional<double>(const EnergyRow&)> value) {
  return {{name, title, note, unit, Align::right},
          [value](const EnergyRow& row) { return cell::short_number(value(row)); }};
}

/// The share of one part in what is expected.
EnergyColumn part(const char* name, const char* title, double EnergyParts::*joules) {
  return {{name, title, "share of what is expected", "%", Align::right},
          [joules](const EnergyRow& row) {
            return cell::percent(
                row.expected ? std::optional(100 * (*row.expected).*joules / row.expected->sum())
                             : std::nullopt);
          }};
}

std::vector<EnergyColumn> energy_columns(const std::string& work) {
  return {{{"variant", "variant"},
           [](const EnergyRow& row) { return TableCell{row.shown.result->variant}; }},
          {{"model", "model"}, [](const EnergyRow& row) { return TableCell{row.shown.model}; }},
          energy_number("watts", "W", "power while it runs back to back", "W",
                        [](const EnergyRow& row) { return row.energy.watts(); }),
          {{"clock", "MHz", "mean clock meanwhile", "MHz", Align::right},
           [](const EnergyRow& row) {
             return cell::integer(static_cast<std::int64_t>(std::llround(row.energy.clock_mhz)));
           }},
          energy_number("celsius", "C", "temperature at the end", "C",
                        [](const EnergyRow& row) { return row.energy.celsius; }),
          {{"limits", "clock held by"},
           [](const EnergyRow& row) {
             return TableCell{row.energy.limits.empty()
                                  ? std::string(roofline::unknown_text)
                                  : fmt::format("{}", fmt::join(row.energy.limits, ", "))};
           }},
          energy_number("joules", "J/run", "energy of a run", "J",
                        [](const EnergyRow& row) { return row.energy.joules_per_run(); }),
          energy_number("joules_of_work", "J/1e9", "energy of 1e9 " + work, "J",
                        [](const EnergyRow& row) {
                          return joules_per_billion(row.shown.study(), *row.shown.result);
                        })};
}

/// Columns of the energy that the model expects, in all and by part.
std::vector<EnergyColumn> expected_columns() {
  std::vector<EnergyColumn> columns = {
      energy_number("expected", "expected", "energy of a run by the model", "J",
                    [](const EnergyRow& row) {
                      return row.expected ? std::optional(row.expected->sum()) : std::nullopt;
                    }),
      {{"difference", "off", "expected over measured", "%", Align::right},
       [](const EnergyRow& row) {
         return cell::percent(
             row.expected
                 ? std::optional(100 * (row.expected->sum() / row.energy.joules_per_run() - 1))
                 : std::nullopt);
       }}};
  for (const auto& [name, title, joules] :
       {std::tuple("constant", "constant", &EnergyParts::constant),
        {"fp64", "FP64", &EnergyParts::fp64},
        {"tensor", "tensor", &EnergyParts::tensor},
        {"instructions", "others", &EnergyParts::instructions},
        {"l1", "L1", &EnergyParts::l1},
        {"l2", "L2", &EnergyParts::l2},
        {"dram", "DRAM", &EnergyParts::dram}})
    columns.push_back(part(name, title, joules));
  return columns;
}

}  // namespace

roofline::ViewTable energy_table(const ShownResults& shown) {
  std::vector<EnergyRow> rows;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed() && row.result->energy && row.result->energy->known())
      rows.push_back(energy_row(row));
  roofline::ViewTable table{"energy", "Energy of every variant", {}, {}, {}};
  if (rows.empty()) return table;
  std::vector<EnergyColumn> columns = energy_columns(kernel_of(rows.front().shown.study()).work);
  if (std::ranges::any_of(rows, [](const EnergyRow& row) { return row.expected.has_value(); }))
    for (EnergyColumn& column : expected_columns()) columns.push_back(std::move(column));
  table = roofline::table_of(columns, rows, std::move(table));
  for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].tags = rows[i].shown.tags();
  return table;
}

std::string energy_text(const StudyRecord& study, bool colours) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const roofline::ViewTable table = energy_table(shown);
  if (table.rows.empty()) return {};
  return "\nEnergy. Expected: constant power times the time, and a price for each instruction and\n"
         "byte, by the power while the kernels of the roofs run; then its parts.\n" +
         terminal_text(table, colours);
}

}  // namespace gpp
