// Points on rooflines as JSON for `--json`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "roofline/base/json_place.h"
#include "roofline/ceilings.h"
#include "roofline/points.h"

namespace roofline {

/// Numbers by name, with null for those that are not finite.
nlohmann::ordered_json named_numbers(const std::map<std::string, double>& values);
/// The point of one precision as JSON; an empty object without a point.
nlohmann::ordered_json roofline_json(const RooflinePoint& point);
/// The points by precision, in their order: {"fp64": {...}, "fp16": {...}}.
nlohmann::ordered_json rooflines_json(const std::vector<RooflinePoint>& points);
/// The ceilings by kind of device: {"gpu": {...}, "host": {...}}.
nlohmann::ordered_json ceilings_json(const std::vector<Ceilings>& ceilings);

}  // namespace roofline
