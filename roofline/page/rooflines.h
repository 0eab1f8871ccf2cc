// What pages with rooflines share: their switches, and words on instruction rooflines.
#pragma once

#include <string>
#include <vector>

#include "roofline/page/html.h"
#include "roofline/view/roofline_chart.h"

namespace roofline::page {

/// The choice of operations, levels, theoretical roofs, and kernels of a variant, as far as the
/// charts differ in them. `leading` is the model that is shown first.
Html roofline_switches(const std::vector<const RooflineChart*>& charts, const std::string& leading);

/// The section of instruction rooflines, whose points are called `what`.
Html instructions_section(const std::string& id, const std::string& what, const Html& blocks);

}  // namespace roofline::page
