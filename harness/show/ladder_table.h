// A published ladder as text: what was published of each step beside what was measured.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// A table for each model of the study, with a line for every step; empty where no ladder was
/// studied.
std::string ladder_tables(const StudyRecord& study, bool colours);

}  // namespace gpp
