// A study for people: what was run on, what came out, and what failed.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The whole summary: circumstances, tables, unavailable variants with reasons, failures last.
std::string summary(const StudyRecord& study, bool colours);

/// A banner that names every failed result, or "" where there is none.
std::string failures(const StudyRecord& study, bool colours);

}  // namespace gpp
