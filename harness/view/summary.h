// Texts on studies: machine, results, failures; and study.csv.
#pragma once

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// The whole summary: circumstances, tables, unavailable variants with reasons, failures last.
std::string summary(const StudyRecord& study, bool colours);

/// What is known of the variants beside their times: places under the roofs with legends; machine
/// code, kernels, instructions, a profiler's metrics, advice; what was not counted, and doubts.
std::string evidence_text(const StudyRecord& study, const ShownResults& shown, bool colours);

/// The defects of a result's counts and points.
std::set<std::string> defects_of(const Result& result);

/// Explains stars and the word "disturbed" below a table of times, if they occur.
std::string marks(const StudyRecord& study);

inline constexpr std::size_t all_of_them = std::numeric_limits<std::size_t>::max();

/// A banner with the names of failed results, up to a limit, or "" without failures.
std::string failures(const StudyRecord& study, bool colours, std::size_t most = all_of_them);

/// A banner that the input contradicts its own reference; "" if it does not.
std::string doubt_banner(const StudyRecord& study, bool colours);

/// "Every check passed.", or banners about failures, a partial study, or that nothing ran.
std::string verdict_on_checks(const StudyRecord& study, bool colours,
                              std::size_t most = all_of_them);

/// A banner that the study is partial, with the number of timed variants; "" for a complete one.
std::string partial_banner(const StudyRecord& study, bool colours);

/// A key to the studies, then terms/s of each variant in each study, which are comparable across
/// inputs and machines. Failures are named at the end.
std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours);

/// study.csv: a row per result and study, numbers with all digits.
std::string csv(const std::vector<NamedStudy>& studies);

}  // namespace gpp
