// A table of a device's roofs.
#pragma once

#include "roofline/ceilings.h"
#include "roofline/view/table.h"

namespace roofline {

/// Columns: measured, theoretical, ratio, and clock. With `with_definitions`, a column has the
/// definitions; otherwise they are tooltips.
ViewTable roofs_table(const Ceilings& ceilings, bool with_definitions);

}  // namespace roofline
