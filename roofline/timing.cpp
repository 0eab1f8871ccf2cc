#include "roofline/timing.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace roofline {

double shortest_seconds(const std::function<void()>& run, int runs) {
  run();
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < std::max(runs, 1); ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const auto stop = std::chrono::steady_clock::now();
    shortest = std::min(shortest, std::chrono::duration<double>(stop - start).count());
  }
  return shortest;
}

}  // namespace roofline
