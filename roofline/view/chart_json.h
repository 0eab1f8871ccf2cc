// Charts as JSON, for other programs that draw them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// The chart with chart.h's field names; shapes by name (view/style.h), tags as an object, facts as
/// pairs. Empty and default values are left out.
nlohmann::ordered_json to_json(const Chart& chart);

/// Adds the charts that --json prints with a record: "charts", and "palette" with the light value
/// of each of their colours.
void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts);

}  // namespace roofline
