// What follows from the facts of a study: places under the roofs, and whether times are possible.
#pragma once

#include <optional>
#include <string>

#include "harness/record/record.h"

namespace gpp {

/// Of the devices of that kind; nullptr where the study has none.
const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind);

/// The one place where what follows from facts is computed, after reading and after measuring:
/// Result::rooflines, instructions and kernels, and the metric division_time of hosts. A result has
/// them where it was timed and counted, and the study has the roofs of its device.
void derive(StudyRecord& study);
/// The same for one result of the study.
void derive(const StudyRecord& study, Result& result);

/// Why one of the times of a result that passed is impossible (harness/record/possible.h) on the
/// device that the study describes; empty where none is.
std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result);

}  // namespace gpp
