// The roofs of a device as a table.
#pragma once

#include "roofline/ceilings.h"
#include "roofline/view/table.h"

namespace roofline {

/// Measured, theoretical, their ratio, the clock meanwhile. `with_definitions`: what was run, in a
/// column of its own; else it is told where the name is pointed at.
ViewTable roofs_table(const Ceilings& ceilings, bool with_definitions);

}  // namespace roofline
