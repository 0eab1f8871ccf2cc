// Where a study's variants stand under the roofs, as a table for people.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The point's view from that level of memory, or nullptr.
const roofline::LevelPoint* level_of(const Result& result, const std::string& level);

/// Table, roofs, legend, what counting cost and the defects of single points; "" where no result
/// has a place on the roofline and none was counted by hardware.
std::string roofline_text(const StudyRecord& study, bool colours);

}  // namespace gpp
