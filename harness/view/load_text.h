// Texts on threads, processors and the load from other programs.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// The host's threads, as far as recorded: "2 cores", "1 thread of 2 cores", "8 threads on 2
/// cores".
std::string describe_threads(const StudyRecord& study);

/// "processors 0-1 of 4 online, governor performance, load average 0.12 before the study". Unknown
/// parts are left out; "" if all are unknown.
std::string describe_processors(const Machine& machine);

/// The environment variables that may change results: "LD_PRELOAD=libclock.so, OMP_NUM_THREADS=2".
std::string describe_environment(const Machine& machine);

/// "others took at most 2% of the processor during a timed run", or "not known"; "" for a record
/// from an earlier program, or if nothing was timed on the host.
std::string describe_load(const StudyRecord& study);

/// A sentence for each reason to doubt the times, each on its own line; "" if there is none.
std::string doubts(const StudyRecord& study, bool colours);

}  // namespace gpp
