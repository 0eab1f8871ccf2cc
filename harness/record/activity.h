// The work of a result, placed under the roofs of its device.
#pragma once

#include <optional>
#include <string>

#include "harness/record/record.h"
#include "roofline/points.h"

namespace gpp {

/// Of the devices of that kind; nullptr where the study has none.
const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind);

/// The work of the result in one precision: its metrics, and its median time.
roofline::Activity activity_of(const Result& result, const roofline::Model& model);

/// Places a result that was timed and counted under the ceilings of its kind of device, where the
/// study has them.
void place_on_roofline(const StudyRecord& study, Result& result);

/// The same for its instructions.
void place_instructions(const StudyRecord& study, Result& result);

/// The same for its kernels, which the record holds.
void place_kernels(const StudyRecord& study, Result& result);

/// Why one of the times of a result that passed is impossible (harness/record/possible.h) on the
/// device that the study describes; empty where none is.
std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result);

}  // namespace gpp
