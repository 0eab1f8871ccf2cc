// A chart for the page.
#pragma once

#include <nlohmann/json.hpp>

#include "roofline/view/chart.h"

namespace roofline {

/// The chart with the names of its fields in chart.h; shapes by their names (view/style.h), tags as
/// an object, facts as pairs. What is empty or as usual is left out.
nlohmann::ordered_json to_json(const Chart& chart);

}  // namespace roofline
