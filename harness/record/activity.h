// What a result did, as the roofline model takes it: from its metrics and its median time.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "harness/record/record.h"

namespace gpp {

/// Levels of memory, nearest first, and the metric that counts the bytes of each.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 3> bytes_of_level{
    {{"l1", "l1_bytes"}, {"l2", "l2_sm_bytes"}, {"dram", "dram_bytes"}}};

roofline::Activity activity_of(const Result& result);

/// Of the devices of that kind; nullptr where the study has none.
const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind);

/// Why one of the times of a result that passed is impossible (harness/record/possible.h) on the
/// device that the study describes; empty where none is.
std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result);

}  // namespace gpp
