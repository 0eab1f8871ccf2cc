// What binds the variants of a study and what to look at next, for people.
#pragma once

#include <string>

#include "harness/record/advice.h"

namespace gpp {

/// Of one variant: what binds it, the line that shows it, what to look at, and the step that acts
/// on it; wrapped to `width`.
std::string advice_text(const LinkedAdvice& advice, std::size_t width);

/// A table of all variants that have any, and below it what to look at, once for each cause. ""
/// where nothing is known of any.
std::string advice_table(const StudyRecord& study, std::size_t width);

}  // namespace gpp
