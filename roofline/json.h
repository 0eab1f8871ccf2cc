// What follows from facts, as JSON for `--json`: points on rooflines.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "roofline/base/json_place.h"
#include "roofline/ceilings.h"
#include "roofline/model.h"

namespace roofline {

/// By name: finite numbers, or nulls.
nlohmann::ordered_json named_numbers(const std::map<std::string, double>& values);
/// The point of one precision as JSON; an empty object where there is none.
nlohmann::ordered_json roofline_json(const RooflinePoint& point);
/// By precision, in their order: {"fp64": {...}, "fp16": {...}}.
nlohmann::ordered_json rooflines_json(const std::vector<RooflinePoint>& points);
/// By kind of device: {"gpu": {...}, "host": {...}}.
nlohmann::ordered_json ceilings_json(const std::vector<Ceilings>& ceilings);

}  // namespace roofline
