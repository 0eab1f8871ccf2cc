// Texts on the variants of a study: limits and advice, compiled machine code, and a profiler's
// metrics.
#pragma once

#include <string>

#include "harness/record/advice.h"
#include "roofline/view/table.h"

namespace gpp {

/// Advice on one variant, wrapped to `width`: its limit, the line that shows it, what to examine,
/// and the ladder's step that acts on it.
std::string advice_text(const LinkedAdvice& advice, std::size_t width);

/// A table of advice for all variants, followed by what to examine, once per cause. Empty if
/// nothing is known.
std::string advice_tables(const StudyRecord& study);

/// The machine code of each host variant. Empty if it was not analysed.
std::string machine_code_text(const StudyRecord& study);

/// Two tables with a profiler's columns, on schedulers and on memory, with published values beside
/// ours and explanations. Empty if no result was counted on a GPU. Columns without counts are left
/// out.
std::string profiler_text(const StudyRecord& study);

}  // namespace gpp
