#include "roofline/view/roofs_table.h"

#include <fmt/format.h>

#include "roofline/base/units.h"
#include "roofline/model.h"

namespace roofline {

Table roofs_table(const Ceilings& ceilings, bool with_definitions) {
  const auto mhz = [](double value) { return fmt::format("{:.4g} MHz", value); };
  std::vector<ColumnOf<Ceiling>> columns = {
      {{"roof", "roof"},
       [](const Ceiling& roof) {
         return TableCell{roof.label, NAN, roof.definition};
       }},
      {{"measured", "measured", "", "", Align::right},
       [](const Ceiling& roof) { return cell::rate(roof.measured, rate_unit(roof)); }},
      {{"theoretical", "theoretical", "", "", Align::right},
       [](const Ceiling& roof) { return cell::rate(roof.theoretical, rate_unit(roof)); }},
      {{"ratio", "ratio", "", "%", Align::right},
       [](const Ceiling& roof) {
         if (!roof.theoretical) return TableCell{unknown_text};
         return cell::percent(100 * roof.measured / *roof.theoretical);
       }},
      {{"clock", "clock", "", "MHz", Align::right}, [mhz](const Ceiling& roof) {
         if (!(roof.clock_mhz > 0)) return TableCell{unknown_text};
         return cell::number(roof.clock_mhz, mhz);
       }}};
  if (with_definitions)
    columns.push_back({{"definition", "what it is"},
                       [](const Ceiling& roof) { return TableCell{roof.definition}; }});
  return table_of(columns, ceilings.list, {"roofs", "Roofs of " + ceilings.device, {}, {}, {}});
}

}  // namespace roofline
