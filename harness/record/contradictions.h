// Numbers of a record that cannot all be true.
#pragma once

#include <string>

#include "harness/record/record.h"
#include "roofline/base/json_place.h"

namespace gpp {

/// Throws InputError with the place and both values where
///   - a result passed whose error is above the tolerance;
///   - statistics, speed or speedup do not follow from the samples;
///   - more runs were throttled than had their clock read;
///   - a place on the roofline does not follow from metrics, time and ceilings;
///   - a time is impossible (harness/record/possible.h);
///   - the kernel finds that its part of the record does not fit (Kernel::refuse_contradictions).
/// Derived values are computed anew and compared. A record can still be invented as a whole: this
/// finds changes, damage and partial inventions.
void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study);

/// Throws InputError with the place and both values where the number there is not `due`, but for
/// the order of operations in which it was computed. `from`: what it follows from, for people.
void require_same(const roofline::JsonPlace& place, double due, const std::string& from);

}  // namespace gpp
