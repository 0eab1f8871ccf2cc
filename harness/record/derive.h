// Derives values from a study's facts: positions under the roofs, and possible times.
//
// A time shorter than the arithmetic alone needs cannot be right. The kernel defines the operations
// that every variant must do (LeastWork).
#pragma once

#include <optional>
#include <string>

#include "harness/kernel.h"
#include "harness/record/record.h"
#include "roofline/ceilings.h"

namespace gpp {

/// The tolerance of roofs: measured roofs and clocks vary, so a speed may exceed them by this.
inline constexpr double roof_margin = 1.1;

/// Explains why a run cannot have done the work in the time under the highest roof of its
/// precision, with the margin; empty if it can. Tensor units of a GPU without a tensor roof may
/// have twice the FMA roof.
std::optional<std::string> impossible(const LeastWork& least, double seconds,
                                      const roofline::Ceilings& ceilings);

/// The reason why a result has no point on the roofline: "the roof of L2 was not measured". Empty
/// if it has one, if its work was not counted, or if it has no work.
std::string why_no_place(const StudyRecord& study, const Result& result);

/// The roofs of the devices of that kind; nullptr if the study has none.
const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind);

/// Computes everything that follows from facts, after reading and after measuring:
/// Result::rooflines, instructions and kernels, and the hosts' metric division_time. A result has
/// them if it was timed and counted and the study has its device's roofs.
void derive(StudyRecord& study);
/// Computes the derived values of one result of the study.
void derive(const StudyRecord& study, Result& result);

/// Explains why a time of a passed result is impossible on the study's device, given its least work
/// or the work that hardware counted; empty if all are possible, or without roofs. Operations known
/// only from the source prove nothing.
std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result);

}  // namespace gpp
