// How long a piece of work takes.
#pragma once

#include <functional>
#include <string>

namespace roofline {

/// Runs the work once to warm up, then `runs` times (at least once); the seconds of the shortest
/// run, as a roof is the best that was seen, too. `run` returns when the work is done, a GPU's
/// included, with what went wrong, or "". Throws std::runtime_error with these words where
/// something did: work that was not done has no time.
double shortest_seconds(const std::function<std::string()>& run, int runs = 5);

}  // namespace roofline
