// Ladders: what was published of each step beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "harness/record/ladder.h"
#include "roofline/view/table.h"

namespace gpp {

/// The steps of a ladder: label, variant, change, and the time, gain and speedup that were
/// published.
roofline::ViewTable published_ladder_table(const PublishedLadder& ladder);

/// The ladder beside the measurements in one model, and whether each published effect holds.
roofline::ViewTable ladder_table(const PublishedLadder& ladder, const LadderRun& run);

/// What numbers cannot give: words, assumptions, why numbers are missing.
std::vector<std::string> remarks_on(const LadderRow& row);

/// A study of a ladder, for the terminal: a table for each model, notes below it, and a legend.
/// Empty where no ladder was studied.
std::string ladder_text(const StudyRecord& study, bool colours);

}  // namespace gpp
