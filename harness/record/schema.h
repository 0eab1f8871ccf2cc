// The published descriptions of records, made from the ones that write and read them; and records
// of earlier programs, made what today's programs write.
#pragma once

#include <string>

#include "harness/kernel.h"

namespace gpp {

/// Makes a study.json or a trajectory.json of version 1, in all of its forms, one of today's
/// version. What follows from facts may stay in it: nobody reads it. Throws InputError where it has
/// no version, or a later one than this program reads.
void upgrade(nlohmann::json& record, const std::string& source);

/// results/study.schema.json. Of the fields that kernels add, it knows that dimensions are whole
/// numbers, and those of Sigma-GPP.
Json study_schema();
/// results/trajectory.schema.json.
Json trajectory_schema();

}  // namespace gpp
