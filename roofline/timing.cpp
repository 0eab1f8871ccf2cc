#include "roofline/timing.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

namespace roofline {
namespace {

double seconds_of(const std::function<std::string()>& run) {
  const auto start = std::chrono::steady_clock::now();
  const std::string wrong = run();
  const auto stop = std::chrono::steady_clock::now();
  if (!wrong.empty()) throw std::runtime_error(wrong);
  return std::chrono::duration<double>(stop - start).count();
}

}  // namespace

double shortest_seconds(const std::function<std::string()>& run, int runs) {
  seconds_of(run);
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < std::max(runs, 1); ++i) shortest = std::min(shortest, seconds_of(run));
  return shortest;
}

}  // namespace roofline
