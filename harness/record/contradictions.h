// Numbers of a record that cannot all be true.
#pragma once

#include "harness/record/record.h"
#include "roofline/base/json_place.h"

namespace gpp {

/// Throws InputError with the place and both values where
///   - the number of terms does not follow from the dimensions, or sums are not one per frequency;
///   - a result passed whose sums fail the check, or whose recorded error is less than theirs;
///   - the original's verdict does not follow from its difference;
///   - statistics, speed or speedup do not follow from the samples;
///   - more runs were throttled than had their clock read;
///   - a place on the roofline does not follow from metrics, time and ceilings;
///   - a time is impossible (harness/rules/possible.h).
/// What follows is computed anew and compared. A record can still be invented as a whole: this
/// finds what was changed, damaged or made up in part.
void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study);

}  // namespace gpp
