// Counters, roofline points and ceilings as they stand in study.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "roofline/base/json_place.h"
#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/model.h"

namespace roofline {

nlohmann::ordered_json named_numbers(const std::map<std::string, double>& values);
nlohmann::ordered_json counting_json(const Counted& counted);
nlohmann::ordered_json roofline_json(const std::optional<RooflinePoint>& point);
/// By kind of device: {"gpu": {...}, "host": {...}}.
nlohmann::ordered_json ceilings_json(const std::vector<Ceilings>& ceilings);
nlohmann::ordered_json ceilings_json(const Ceilings& ceilings);

/// Of a result. Empty where it was written before counting was known.
Counted read_counted(const JsonPlace& result);
std::optional<RooflinePoint> read_roofline(const JsonPlace& place);
std::vector<Ceilings> read_ceilings(const JsonPlace& place);
Ceilings read_device_ceilings(const JsonPlace& place, const std::string& kind);

}  // namespace roofline
