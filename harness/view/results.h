// Tables of studies for the report: results, points under the roofs, and records.
#pragma once

#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// All passed and timed rows: time, speed, speedup, resources.
roofline::ViewTable results_table(const ShownResults& shown);

/// Adapts a table of these rows, with the variant in its second column, to the page: it adds links
/// to the steps' panels, and the machine if there are several.
roofline::ViewTable for_page(roofline::ViewTable table, const std::vector<const ShownRow*>& rows,
                             const ShownResults& shown);

/// Every variant under its roofs (roofline.h).
roofline::ViewTable places_table(const ShownResults& shown);

/// A table of instructions by row; rows without counts are empty.
roofline::ViewTable instructions_table(const ShownResults& shown);

}  // namespace gpp
