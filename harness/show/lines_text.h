// Evidence per source line, for people.
#pragma once

#include <string>

#include "harness/record/lines.h"

namespace gpp {

/// The hottest lines of the variant, at most `top`, each with what was inlined there below it, and
/// what is missing. `title` names variant, device and input.
std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours);

/// Whole files, line by line, with their heat: the variant's with everything inlined, others with
/// what is their own.
std::string whole_files(const LinesRecord& record, const std::string& title, bool colours);

}  // namespace gpp
