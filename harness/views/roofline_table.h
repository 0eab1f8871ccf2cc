// Where a study's variants stand under the roofs, as a table for people.
#pragma once

#include <optional>
#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The reason most warps waited for, of a result that hardware counted: "wait", "long_scoreboard".
/// Warps that issued, or that were ready while another did, are not counted as waiting.
std::optional<std::string> top_stall(const Result& result);

/// The point's view from that level of memory, or nullptr.
const roofline::LevelPoint* level_of(const Result& result, const std::string& level);

/// Table, roofs, legend, what counting cost and the defects of single points; "" where no result
/// has a place on the roofline and none was counted by hardware.
std::string roofline_text(const StudyRecord& study, bool colours);

}  // namespace gpp
