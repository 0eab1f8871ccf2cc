// Studies for people: the machine, the results, the failures; and study.csv.
#pragma once

#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// The whole summary: circumstances, tables, unavailable variants with reasons, failures last.
std::string summary(const StudyRecord& study, bool colours);

/// A banner that names every failed result, or "" where there is none.
std::string failures(const StudyRecord& study, bool colours);

/// A banner that says that the study is partial, and of how many variants there are times; "" of a
/// complete one.
std::string partial_banner(const StudyRecord& study, bool colours);

/// A key to the studies, then terms/s of each variant in each, which is comparable across inputs
/// and machines. Failures are named in the end.
std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours);

/// study.csv: a row for each result of each study, numbers in full.
std::string csv(const std::vector<NamedStudy>& studies);

}  // namespace gpp
