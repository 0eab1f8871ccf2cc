// Texts on a study's machine, its threads, and the load from other programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// The host's threads, as far as recorded: "2 cores", "1 thread of 2 cores", "8 threads on 2
/// cores".
std::string describe_threads(const StudyRecord& study);

/// Facts that support a study's numbers, by name: input, machine, compilers, source. Unknown ones
/// are empty.
using Facts = std::vector<std::pair<std::string, std::string>>;
Facts facts_of(const StudyRecord& study);

/// A sentence for each reason to doubt the times, each on its own line; "" if there is none.
std::string doubts(const StudyRecord& study, bool colours);

}  // namespace gpp
