// Threads that work at the same time, one on each CPU; and the clock of the core that asks.
#pragma once

#include <functional>
#include <vector>

namespace roofline::host {

/// MHz, from a chain of integer additions in registers, each of which takes one cycle on every
/// processor of today; about 50 microseconds. 0 for processors that it does not know.
double core_clock_mhz();

struct Best {
  double seconds = 0;  ///< of the shortest repetition, from the first start to the last end
  double clock_mhz =
      0;  ///< median over threads and repetitions, taken right after each; 0: unknown
};

/// Calls work(thread) on one thread per CPU, each bound to its own so that private caches and
/// memory stay its own; `repetitions` times, beginning each time together. A roof is the best that
/// was seen: what other programs take away makes a repetition longer, never shorter.
Best best_of(const std::vector<int>& cpus, int repetitions,
             const std::function<void(std::size_t thread)>& work);

}  // namespace roofline::host
