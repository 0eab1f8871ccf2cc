// Why the outcome of a step is what it is, as far as its record tells.
#pragma once

#include <map>
#include <string>

#include "harness/record/record.h"
#include "harness/teach/predictions.h"

namespace gpp {

/// "The loop became vector code (scalar instructions 100% to 12%).": the counter that explains a
/// step's change of time. Empty where none accounts for half of it.
std::string explained(const StudyRecord& study, const Result& result, const Result& before);

/// A sentence for each quantity of a timed result whose reason the record shows. `before` may be
/// nullptr.
std::map<Asked, std::string> reasons_of(const StudyRecord& study, const Result& result,
                                        const Result* before);

}  // namespace gpp
