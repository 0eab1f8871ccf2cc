// The counters that explain a step.
#pragma once

#include <optional>
#include <string>

#include "harness/view/rows.h"

namespace gpp {

/// The counters of a row and of the previous step's row: "before", "after", "change". The counter
/// that explains most of the change of time comes first, with the tone "good". Empty without a
/// previous step or common counters.
std::optional<roofline::Table> explanation_table(const ShownResults& shown, const ShownRow& row);

/// The counter that explains most of the change of time between two results of a study, if it
/// explains at least half: "DRAM bytes fell from 8 GB to 2 GB". Else empty.
std::string explained_by(const StudyRecord& study, const Result& before, const Result& after);

/// Describes the rule by which counters explain a step.
const char* explanation_rule();

}  // namespace gpp
