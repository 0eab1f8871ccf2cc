// Threads, processors and the load of others, in words.
#pragma once

#include <string>

#include "harness/record/record.h"

namespace gpp {

/// "2 cores", "1 thread of 2 cores", "8 threads on 2 cores": what the host's variants used, as far
/// as it is recorded.
std::string describe_threads(const StudyRecord& study);

/// "processors 0-1 of 4 online, governor performance, load average 0.12 before the study"; what is
/// not known is left out, and "" of a record that knows nothing.
std::string describe_processors(const Machine& machine);

/// "LD_PRELOAD=libclock.so, OMP_NUM_THREADS=2": what was set of what may change results.
std::string describe_environment(const Machine& machine);

/// "others took at most 2% of the processor during a timed run", "not known"; "" where a record of
/// earlier programs says nothing, or nothing was timed on the host.
std::string describe_load(const StudyRecord& study);

/// One plain sentence for each thing that makes times doubtful, each on a line of its own; "" where
/// there is nothing.
std::string doubts(const StudyRecord& study, bool colours);

}  // namespace gpp
