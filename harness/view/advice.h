// What binds the variants of a study and what to look at next, what compilers made of
// them, and what a profiler shows.
#pragma once

#include <string>

#include "harness/record/advice.h"
#include "roofline/view/table.h"

namespace gpp {

/// Advice on one variant, wrapped to `width`: what binds it, the line that shows it, what to look
/// at, and the step that acts on it.
std::string advice_text(const LinkedAdvice& advice, std::size_t width);

/// A table of all variants that have any, and below it what to look at, once for each cause. Empty
/// where nothing is known of any.
std::string advice_tables(const StudyRecord& study);

/// The machine code of each host's variant. Empty where nobody looked.
std::string machine_code_text(const StudyRecord& study);

/// A table of the schedulers and one of the memory in a profiler's columns, with published values
/// beside ours, each with what its columns mean. Empty where no result was counted on a GPU. A
/// column that nothing was counted for is left out.
std::string profiler_text(const StudyRecord& study);

}  // namespace gpp
