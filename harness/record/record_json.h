// A study's record as JSON, and back. The one place that knows the names in study.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/record/record.h"
#include "roofline/base/json_place.h"

namespace gpp {

/// The whole record. NaN and infinities become null: JSON has no words for them.
Json to_json(const StudyRecord& study);

/// One element of "results".
Json to_json(const StudyRecord& study, const Result& result);

/// Throws InputError where the record has another schema_version than this program reads. `source`
/// names it in the message.
void require_version(const roofline::JsonPlace& root, std::string_view source);

/// Throws InputError with `source` and the place, as in
/// "results/x/study.json: results[3].time_s.samples: not a list of numbers".
StudyRecord from_json(nlohmann::json json, std::string_view source);

}  // namespace gpp
