#include "harness/view/energy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
namespace cell = roofline::cell;

/// A row with its energy.
struct EnergyRow {
  ShownRow shown;
  EnergyRecord energy;
};

using EnergyColumn = roofline::ColumnOf<EnergyRow>;

EnergyColumn energy_number(const char* name, const char* title, const std::string& note,
                           const char* unit,
                           std::function<std::optional<double>(const EnergyRow&)> value) {
  return {{name, title, note, unit, Align::right},
          [value](const EnergyRow& row) { return cell::short_number(value(row)); }};
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

}  // namespace

roofline::ViewTable energy_table(const ShownResults& shown) {
  std::vector<EnergyRow> rows;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed() && row.result->energy && row.result->energy->known())
      rows.push_back({row, *row.result->energy});
  roofline::ViewTable table{"energy", "Energy of every variant", {}, {}, {}};
  if (rows.empty()) return table;
  table = roofline::table_of(energy_columns(kernel_of(rows.front().shown.study()).work), rows,
                             std::move(table));
  for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].tags = rows[i].shown.tags();
  return table;
}

std::string energy_text(const StudyRecord& study, bool colours) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const roofline::ViewTable table = energy_table(shown);
  if (table.rows.empty()) return {};
  return "\nEnergy\n" + terminal_text(table, colours);
}

}  // namespace gpp
