// Records of earlier programs, made what today's programs write.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpp {

/// Makes a study.json or a trajectory.json of version 1, in all of its forms, one of today's
/// version. What follows from facts may stay in it: nobody reads it. Throws InputError where it has
/// no version, or a later one than this program reads.
void upgrade(nlohmann::json& record, const std::string& source);

}  // namespace gpp
