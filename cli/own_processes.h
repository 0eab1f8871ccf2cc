// Variants in processes of their own: this program starts itself, as `gpp lines --elsewhere`, and
// reads what that writes.
#pragma once

#include <cstdio>

#include "harness/measure/lines.h"

namespace gpp {

/// Standard output as it was, for our own lines alone; the caller closes it. What a variant prints
/// goes to standard error from now on. `what`: what would be lost, for the message. Throws
/// std::runtime_error where it cannot be kept.
std::FILE* keep_standard_output(const char* what);

/// Options of `gpp lines` that only such a process is given.
inline constexpr const char* lines_mode_option = "--elsewhere";
inline constexpr const char* lines_part_option = "--part-terms";

/// The input whose lines are wanted, and how they are found.
struct LinesElsewhereRequest {
  const Kernel* kernel = nullptr;
  SourceRequest source;
  LinesOptions options = {};
  double limit_s = 300;  ///< seconds of silence after which a process is stopped
};

/// Samples and counts a variant that runs on a GPU here. Shows progress. Never throws: what is
/// missing is in LinesRecord::lost.
LinesRecord measure_lines_elsewhere(const LinesElsewhereRequest& request, const Choice& choice);

}  // namespace gpp
