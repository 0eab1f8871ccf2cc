// Lines of a variant, by processes that this program starts: itself, as `gpp lines --elsewhere`.
#pragma once

#include "harness/measure/lines.h"

namespace gpp {

/// Options of `gpp lines` that only such a process is given.
inline constexpr const char* lines_mode_option = "--elsewhere";
inline constexpr const char* lines_part_option = "--part-terms";

/// What of, and how.
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
