// A study's record in JSON: its facts, as study.json holds them, and all that follows from them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/record/record.h"
#include "roofline/record/fields.h"

namespace gpp {

/// The facts: all of study.json. The one description of it. Reading refuses what contradicts
/// itself: a result that passed with an error above its tolerance, more runs throttled than had
/// their clock read, counts of lines that nobody counted, lines of another input.
void fields(roofline::Fields& field, StudyRecord& study);
void fields(roofline::Fields& field, Launch& launch);
void fields(roofline::Fields& field, ScalingStep& step);
void fields(roofline::Fields& field, ScalingRank& rank);
void fields(roofline::Fields& field, ScalingRecord& scaling);

/// Facts and what follows from them, as `--json` prints it: statistics of times, speeds, speedups,
/// metrics, places on rooflines, what a ladder published.
Json to_json(const StudyRecord& study);
/// One element of "results".
Json to_json(const StudyRecord& study, const Result& result);
Json to_json(const ScalingRecord& scaling);

/// Refuses a record of another version than today's, and names the program that reads it.
void require_version(const roofline::JsonPlace& record);

/// Reads the facts of a study and derives the rest. Throws InputError with `source` and the place,
/// as in "results/x/study.json: results[3].time_s.samples: not a list", also where a time is
/// impossible (derive.h), or where the kernel finds that its part of the record does not fit.
StudyRecord from_json(nlohmann::json&& json, const std::string& source);

/// Refuses what from_json refuses in a study whose fields were read.
void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study);

/// The text of a record's file, or of the one of that name in a folder that the command `maker`
/// writes. `source` becomes its path for messages. Throws InputError.
std::string record_text(const std::filesystem::path& path, const char* name, const char* maker,
                        std::string& source);

}  // namespace gpp
