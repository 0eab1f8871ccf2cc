// Prints a study on one screen: one table, and the findings in one or two sentences.
#pragma once

#include <cstddef>
#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The maximum number of lines that a study prints, including the findings and the record's place.
inline constexpr std::size_t most_lines = 40;

/// The study in lines of at most 100 columns: input and machine, one table, variants that did not
/// run, doubts, and whether every check passed. If there are too many rows, failed ones and each
/// model's first and fastest ones have priority.
std::string brief(const StudyRecord& study, bool colours);

/// The finding of a study, from the first of these that applies: a failed check, a doubtful input,
/// an interruption, disturbed times; then the largest gain beyond noise of a step over the previous
/// one, with the counter that explains it, and the command to go on with. Ends with a new line.
std::string learnt(const StudyRecord& study);

/// The finding of `gpp run`, from the first result and its parent, which is the second result if
/// present.
std::string learnt_of_run(const StudyRecord& study);

}  // namespace gpp
