// A study's record in JSON: its facts, as in study.json, and everything derived from them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/record/record.h"
#include "roofline/record/fields.h"

namespace gpp {

/// Describes all facts of study.json; this is their only description. Reading refuses
/// contradictions: a passed result with an error above its tolerance, more throttled runs than
/// clock samples, counts of lines without counting, lines of another input.
void fields(roofline::Fields& field, StudyRecord& study);
void fields(roofline::Fields& field, Launch& launch);
void fields(roofline::Fields& field, JudgeLayer& layer);
void fields(roofline::Fields& field, ScalingStep& step);
void fields(roofline::Fields& field, ScalingRank& rank);
void fields(roofline::Fields& field, ScalingRecord& scaling);

/// The facts and all derived values, as `--json` prints them: statistics of times, speeds,
/// speedups, metrics, points on rooflines, published numbers of a ladder.
Json to_json(const StudyRecord& study);
/// One element of "results".
Json to_json(const StudyRecord& study, const Result& result);
Json to_json(const ScalingRecord& scaling);

/// Refuses a record of another version, and names the program version that reads it.
void require_version(const roofline::JsonPlace& record);

/// Checks a study whose fields were read: refuses an impossible time (derive.h), and what the
/// kernel refuses.
void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study);

/// The text of a record's file, or of the file `name` in a folder that the command `maker` writes.
/// `source` becomes its path for messages. Throws InputError.
std::string record_text(const std::filesystem::path& path, const char* name, const char* maker,
                        std::string& source);

}  // namespace gpp
