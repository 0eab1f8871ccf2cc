// How long a piece of work takes.
#pragma once

#include <functional>

namespace roofline {

/// Runs the work once to warm up, then `runs` times (at least once); the seconds of the shortest
/// run, as a roof is the best that was seen, too. `run` returns when the work is done, a GPU's
/// included.
double shortest_seconds(const std::function<void()>& run, int runs = 5);

}  // namespace roofline
