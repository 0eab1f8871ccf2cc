// What follows from facts, as JSON for `--json` and for pages: points on rooflines, models.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "roofline/base/json_place.h"
#include "roofline/ceilings.h"
#include "roofline/instruction_table.h"
#include "roofline/model.h"

namespace roofline {

/// [{"name", "reason"}]
nlohmann::ordered_json missing_json(const std::vector<Missing>& missing);

/// A list of finite numbers, or nulls.
nlohmann::ordered_json numbers_json(const std::vector<double>& values);
nlohmann::ordered_json named_numbers(const std::map<std::string, double>& values);
/// Of one precision; an empty object where there is no point.
nlohmann::ordered_json roofline_json(const RooflinePoint& point);
/// By precision, in their order: {"fp64": {...}, "fp16": {...}}.
nlohmann::ordered_json rooflines_json(const std::vector<RooflinePoint>& points);
/// All models for pages that draw them: an array of {device, name, title, work, unit, peak, thin,
/// rate, transactions, pipe, levels: [{name, label, roof, bytes_each, beside}], walls: [{name,
/// label, level, intensity}], across, up}. Their work is operations.
nlohmann::ordered_json models_json();
/// The same of instruction models.
nlohmann::ordered_json instruction_models_json();
/// {"warps_per_s", "active_share", "sectors_per_request", "conflicts_per_access", "spill_share",
/// "walls": {"global_access": {"label", "ratio"}}}; null where nothing of it is known.
nlohmann::ordered_json instructions_json(const InstructionRow& row);
/// By kind of device: {"gpu": {...}, "host": {...}}.
nlohmann::ordered_json ceilings_json(const std::vector<Ceilings>& ceilings);
nlohmann::ordered_json ceilings_json(const Ceilings& ceilings);

}  // namespace roofline
