// A study for people: the machine, the results, the failures.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The whole summary: circumstances, tables, unavailable variants with reasons, failures last.
std::string summary(const StudyRecord& study, bool colours);

/// A banner that names every failed result, or "" where there is none.
std::string failures(const StudyRecord& study, bool colours);

/// A banner that says that the study is partial, and of how many variants there are times; "" of a
/// complete one.
std::string partial_banner(const StudyRecord& study, bool colours);

}  // namespace gpp
