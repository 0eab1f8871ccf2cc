// Texts on studies, on one screen and in full; and study.csv.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// A study and its finding take at most so many lines of a screen.
inline constexpr std::ptrdiff_t most_lines = 40;

/// The study for the screen, at most 100 columns wide: input and machine, one table, doubts, and
/// whether every check passed. Where it would be too long, each model's first and fastest variants
/// are shown and, as far as there is room, those of the fastest model.
std::string brief(const StudyRecord& study, bool colours);

/// The table of the results so far.
std::string brief_so_far(const StudyRecord& study);

/// The whole summary: circumstances, tables, advice, unavailable variants with reasons, failures
/// last.
std::string summary(const StudyRecord& study, bool colours);

/// study.csv: a row per result and study, numbers with all digits.
std::string csv(const std::vector<NamedStudy>& studies);

// ---- Parts of them ------------------------------------------------------------------------------

/// What a study is of: "Sigma-GPP study of gpp214.dat, 800 bands ..., on NVIDIA H200".
std::string headline_of(const StudyRecord& study);

/// What is wrong: an interruption, failed results (the first ones by name, or all), an input that
/// contradicts its own reference. As text it is a banner.
std::vector<std::string> faults_of(const StudyRecord& study, bool all = true);
std::string faults(const StudyRecord& study, bool colours, bool all = true);

/// A sentence for each reason to doubt the times. As text each has its own line.
std::vector<std::string> doubts_of(const StudyRecord& study);
std::string doubts(const StudyRecord& study, bool colours);

/// What did not run, was not counted, or is doubtful, once for each reason: "not run: omp v1, omp
/// v7: no device".
std::vector<std::string> remarks_on_results(const StudyRecord& study);

/// Explains stars and the word "disturbed" below a table of times, if they occur.
std::string marks(const StudyRecord& study);

/// Facts that support a study's numbers, by name: input, machine, compilers, source. Unknown ones
/// are empty.
std::vector<std::pair<std::string, std::string>> facts_of(const StudyRecord& study);

}  // namespace gpp
