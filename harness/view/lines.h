// Evidence per source line, beside published lines.
#pragma once

#include <string>
#include <vector>

#include "harness/kernel.h"
#include "roofline/view/lines.h"

namespace gpp {

using roofline::LinesRecord;

/// A step, and the record of its lines.
struct StepLines {
  std::string id;                      ///< "v8"
  const LinesRecord* lines = nullptr;  ///< nullptr if none are recorded
};

/// The hottest lines, at most `top`: share of all samples, top stalls, source. A sentence says so
/// if nothing was sampled.
std::string hottest_in_brief(const LinesRecord& lines, std::size_t top);

/// The published lines of these steps, each step's followed by the hottest recorded one, with
/// samples and top stalls. "" if nothing was published.
std::string lines_beside(const Kernel& kernel, const std::vector<StepLines>& steps);

}  // namespace gpp
