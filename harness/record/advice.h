// The limits of a recorded variant and advice for the next step (roofline/advice.h), with the
// source line that shows the cause and the step of the ladder that acts on it.
#pragma once

#include <optional>
#include <string>

#include "harness/record/guide.h"
#include "harness/record/record.h"
#include "roofline/advice.h"

namespace gpp {

/// The line that contributes most to a cause.
struct HotLine {
  roofline::SourcePlace place;  ///< line of the variant, or of a callee
  std::string source;           ///< its printable text; empty if not recorded
  double share = 0;             ///< 0..1: its share of the cause
  /// The hottest line inlined there; empty if the line's own instructions are hotter.
  std::optional<roofline::SourcePlace> within = {};
  std::string within_source = {};
};

/// A cause with its line and the step that acts on it.
struct LinkedCause {
  roofline::Cause cause;
  std::optional<HotLine> line;    ///< if recorded lines show the cause
  const StepAim* step = nullptr;  ///< next step that acts on it, or nullptr
};

struct LinkedAdvice {
  roofline::Advice advice;
  LinkedCause first;
  std::optional<LinkedCause> also;
};

/// Returns nothing if the result was not timed, or has neither a roofline nor stalls. The next step
/// is the first one in the guide after the result's own step (for a user's variant: after its
/// parent) that acts on the cause and exists in the model.
std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result);

/// Advice on one kernel of a variant. It names no line, because lines are not recorded by kernel.
std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result,
                                      const roofline::KernelProfile& kernel);

/// The line that contributes most to the cause: by samples of the stall; for a wall, by
/// transactions beyond the ideal; for a memory's roof, by sectors or passes; for arithmetic, by all
/// samples. Returns nothing if no line contributes.
std::optional<HotLine> hottest_line(const LinesRecord& lines, const roofline::Cause& cause);

}  // namespace gpp
