// A table of a device's roofs.
#pragma once

#include "roofline/base/table.h"
#include "roofline/ceilings.h"

namespace roofline {

/// Columns: measured, theoretical, ratio, and clock. With `with_definitions`, a column has the
/// definitions; otherwise they are tooltips.
Table roofs_table(const Ceilings& ceilings, bool with_definitions);

}  // namespace roofline
