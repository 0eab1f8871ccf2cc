// Ladders: published and measured results of each step.
#pragma once

#include <string>
#include <vector>

#include "harness/record/ladder.h"
#include "roofline/base/table.h"

namespace gpp {

/// A table of published and measured results of each step in one model, and whether each published
/// effect holds. A run without results gives what was published.
roofline::Table ladder_table(const PublishedLadder& ladder, const LadderRun& run);

/// Remarks in words: published text, assumptions, reasons for missing numbers.
std::vector<std::string> remarks_on(const LadderRow& row);

/// A study of a ladder for the terminal: a table per model, notes, and a legend. Empty if no ladder
/// was studied.
std::string ladder_text(const StudyRecord& study, bool colours);

}  // namespace gpp
