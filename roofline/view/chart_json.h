// Charts as JSON: for the page, and for programs that draw them themselves.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// The chart with the names of its fields in chart.h; shapes by their names (view/style.h), tags as
/// an object, facts as pairs. What is empty or as usual is left out.
nlohmann::ordered_json to_json(const Chart& chart);

/// Adds the charts that --json prints beside a record: "charts", and "palette" with the value of
/// each of their colours on light paper.
void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts);

}  // namespace roofline
