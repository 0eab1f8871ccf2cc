// A study on one screen: one table, and what was learnt in a sentence or two.
#pragma once

#include <cstddef>
#include <string>

#include "harness/record/record.h"

namespace gpp {

/// Lines that a study prints at most, with those that say where it was recorded and what was
/// learnt.
inline constexpr std::size_t most_lines = 40;

/// The study in lines of at most 100 columns: input and machine, one table, what did not run, what
/// makes it doubtful, and whether every check passed. Where rows are too many, failed ones, the
/// first and the fastest of each model are shown before others.
std::string brief(const StudyRecord& study, bool colours);

/// The table of what has run so far.
std::string brief_so_far(const StudyRecord& study);

/// The lesson of a study, from the first of these that applies: a failed check, an input in doubt,
/// an interruption, disturbed times; then the largest gain of a step over the one before it that is
/// beyond noise, with the counter that explains it, and the command to go on with. Ends with a new
/// line.
std::string learnt(const StudyRecord& study);

/// The lesson of `gpp run`, from the first result and, where there is one, the second, which it was
/// made from.
std::string learnt_of_run(const StudyRecord& study);

}  // namespace gpp
