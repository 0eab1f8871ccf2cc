// Where variants stand under their roofs, for the terminal.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The places of all variants under their roofs with legends; then machine code, kernels,
/// instructions, what a profiler shows, and what to look at next. Empty where nothing is known.
std::string roofline_text(const StudyRecord& study, bool colours);

}  // namespace gpp
