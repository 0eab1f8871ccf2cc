// Studies as tables for the report: results, places under the roofs, and what the record says.
#pragma once

#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// Every row that passed and was timed: time, speed, speedup, what it took.
roofline::ViewTable results_table(const ShownResults& shown);

/// A table whose rows are of these, and whose second column is the variant, for the page: with
/// links to the steps' panels, and the machine where there are several.
roofline::ViewTable for_page(roofline::ViewTable table, const std::vector<const ShownRow*>& rows,
                             const ShownResults& shown);

/// Every variant under its roofs (roofline.h).
roofline::ViewTable places_table(const ShownResults& shown);

/// The instructions of these rows; empty rows where none were counted.
roofline::ViewTable instructions_table(const ShownResults& shown);

}  // namespace gpp
