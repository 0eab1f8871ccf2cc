// Counters, roofline points and ceilings as they stand in study.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/json_place.h"
#include "harness/record/record.h"

namespace gpp {

nlohmann::ordered_json named_numbers(const std::map<std::string, double>& values);
nlohmann::ordered_json counting_json(const Counted& counted);
nlohmann::ordered_json roofline_json(const std::optional<roofline::RooflinePoint>& point);
/// By kind of device: {"gpu": {...}, "host": {...}}.
nlohmann::ordered_json ceilings_json(const std::vector<roofline::Ceilings>& ceilings);
nlohmann::ordered_json ceilings_json(const roofline::Ceilings& ceilings);

/// Of a result. Empty where it was written before counting was known.
Counted read_counted(const JsonPlace& result);
std::optional<roofline::RooflinePoint> read_roofline(const JsonPlace& place);
std::vector<roofline::Ceilings> read_ceilings(const JsonPlace& place);
roofline::Ceilings read_device_ceilings(const JsonPlace& place, const std::string& kind);

}  // namespace gpp
