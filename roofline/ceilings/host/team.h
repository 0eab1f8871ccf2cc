// Runs threads at the same time, one per CPU, and measures the clock of the current core.
#pragma once

#include <functional>
#include <vector>

#include "roofline/ceilings/measure.h"

namespace roofline::host {

/// The clock in MHz, from a chain of integer additions in registers, which take one cycle each on
/// current processors; about 50 microseconds. 0 for unknown processors.
double core_clock_mhz();

/// Calls work(thread) on one bound thread per CPU, so that private caches and memory remain its
/// own, `repetitions` times with a common start; a repetition lasts from the first start to the
/// last end. The roof is the best repetition, because other programs can only slow it down.
Best best_of(const std::vector<int>& cpus, int repetitions,
             const std::function<void(std::size_t thread)>& work);

}  // namespace roofline::host
