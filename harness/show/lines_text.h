// Evidence per source line, for people.
#pragma once

#include <cstdint>
#include <string>

#include "harness/record/lines.h"

namespace gpp {

/// The three reasons with most samples, but none below 0.5%: "long_scoreboard 62%, wait 12%",
/// shares of `all` samples.
std::string top_reasons(const roofline::Events& stalls, std::uint64_t all);

/// The hottest lines of the variant, at most `top`, each with what was inlined there below it, and
/// what is missing. `title` names variant, device and input.
std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours);

/// Whole files, line by line, with their heat: the variant's with everything inlined, others with
/// what is their own.
std::string whole_files(const LinesRecord& record, const std::string& title, bool colours);

}  // namespace gpp
