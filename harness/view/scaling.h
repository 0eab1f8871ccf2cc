// Tables on the scaling of a calculation over ranks.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/base/table.h"

namespace gpp {

/// What was calculated, in sentences.
std::string scaling_headline(const ScalingRecord& scaling);

/// A row per rank; a row per step of the ring, with means over all ranks; times by number of ranks,
/// with the same work and with one state per rank. Without the tables that the record lacks.
std::vector<roofline::Table> scaling_tables(const ScalingRecord& scaling);

/// All of it for the terminal. Empty without scaling results.
std::string scaling_text(const StudyRecord& study);

}  // namespace gpp
