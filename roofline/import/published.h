// Roofs of devices as their measurers published them, for profiles of machines that are not at
// hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"

namespace roofline {

/// Of "v100" or "mi250x"; nullptr for any other name. Each ceiling's definition names its source.
const Ceilings* published_roofs(std::string_view name);

std::vector<std::string> published_names();

}  // namespace roofline
