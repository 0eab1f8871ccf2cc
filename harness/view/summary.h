// Studies for people: the machine, the results, the failures; and study.csv.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// The whole summary: circumstances, tables, unavailable variants with reasons, failures last.
std::string summary(const StudyRecord& study, bool colours);

/// The table of these results of a study as it fits on a terminal, and what its columns mean.
std::string results_in_brief(const StudyRecord& study, const std::vector<Result>& shown,
                             bool colours);

inline constexpr std::size_t all_of_them = std::numeric_limits<std::size_t>::max();

/// A banner that names failed results, at most so many of them, or "" where there is none.
std::string failures(const StudyRecord& study, bool colours, std::size_t most = all_of_them);

/// A banner that says that the input contradicts its own reference; "" where it does not.
std::string doubt_banner(const StudyRecord& study, bool colours);

/// "Every check passed.", or banners that say what failed, what is partial, or that nothing ran.
std::string verdict_on_checks(const StudyRecord& study, bool colours,
                              std::size_t most = all_of_them);

/// A banner that says that the study is partial, and of how many variants there are times; "" of a
/// complete one.
std::string partial_banner(const StudyRecord& study, bool colours);

/// A key to the studies, then terms/s of each variant in each, which is comparable across inputs
/// and machines. Failures are named in the end.
std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours);

/// study.csv: a row for each result of each study, numbers in full.
std::string csv(const std::vector<NamedStudy>& studies);

}  // namespace gpp
