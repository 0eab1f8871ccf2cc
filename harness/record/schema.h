// The published descriptions of records, made from the ones that write and read them.
#pragma once

#include "harness/kernel.h"

namespace gpp {

/// results/study.schema.json. Of the fields that kernels add, it knows that dimensions are whole
/// numbers, and those of Sigma-GPP.
Json study_schema();
/// results/trajectory.schema.json.
Json trajectory_schema();

}  // namespace gpp
