// What binds a recorded variant and what to look at next (roofline/advice.h), with the line that
// shows it and the step of the ladder that acts on it.
#pragma once

#include <optional>
#include <string>

#include "harness/record/guide.h"
#include "harness/record/record.h"
#include "roofline/advice.h"

namespace gpp {

/// The hottest line of a cause.
struct HotLine {
  roofline::SourcePlace place;  ///< of the variant, or of what nothing in the variant called
  std::string source;           ///< its text as it may be shown; empty where it is not recorded
  double share = 0;             ///< 0..1: of the cause, as measure_of has it, that is this line's
  /// The hottest line that was inlined there; empty where its own instructions are hotter.
  std::optional<roofline::SourcePlace> within;
  std::string within_source;
};

/// A cause, and where it leads.
struct LinkedCause {
  roofline::Cause cause;
  std::optional<HotLine> line;    ///< where lines are recorded that tell of it
  const StepAim* step = nullptr;  ///< the next one that acts on it; nullptr where none does
};

struct LinkedAdvice {
  roofline::Advice advice;
  LinkedCause first;
  std::optional<LinkedCause> also;
};

/// Empty where the result was not timed, or nothing places it: neither a roofline nor stalls. The
/// next step is the first of the guide behind the result's own (of an idea of one's own: behind its
/// parent) that acts on the cause and that the model has.
std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result);

/// Advice on one of its kernels. No line is linked, because lines are not told apart by kernel.
std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result,
                                      const roofline::KernelProfile& kernel);

/// The line on which most of the cause shows: samples that waited for the stall; for a wall the
/// transactions beyond the ideal; for a memory's roof sectors or passes; for arithmetic all
/// samples. Empty where no line has any.
std::optional<HotLine> hottest_line(const LinesRecord& lines, const roofline::Cause& cause);

/// roofline::advice_json, and to it and its "also": "line" ({"file", "line", "source", "share",
/// "within": {"file", "line", "source"} or null} or null), "step" ({"id", "by"} or null).
Json to_json(const LinkedAdvice& advice);

}  // namespace gpp
