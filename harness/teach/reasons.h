// Why the outcome of a step is what it is, as far as its record tells.
#pragma once

#include <map>
#include <string>

#include "harness/record/record.h"
#include "harness/teach/predictions.h"

namespace gpp {

/// A sentence for each quantity of a timed result whose reason the record shows. `before` may be
/// nullptr.
std::map<Asked, std::string> reasons_of(const StudyRecord& study, const Result& result,
                                        const Result* before);

}  // namespace gpp
