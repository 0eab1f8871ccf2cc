// What schedulers and memory did while variants ran, in a profiler's columns, with published values
// beside ours.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// A table of the schedulers and one of the memory, each with what its columns mean; "" where no
/// result was counted on a GPU. A column that nothing was counted for is left out.
std::string profiler_tables(const StudyRecord& study);

}  // namespace gpp
