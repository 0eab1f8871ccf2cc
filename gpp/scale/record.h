// The record of a calculation that many ranks shared: a study of one variant.
#pragma once

#include "gpp/scale/calculation.h"
#include "harness/record/record.h"

namespace gpp::scale {

/// `machine`: as it was before each rank took its share of it.
StudyRecord record_of(const CalculationRequest& request, const CalculationResult& result,
                      const gpp::Machine& machine);

}  // namespace gpp::scale
