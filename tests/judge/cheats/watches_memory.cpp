// Cheat: a thread watches the inputs, and starts when they change.
//
// Stopped by: stopping.
// Outcome: wrong.

#include <atomic>
#include <thread>

std::atomic<int> ready{0};
Sums ahead{};

/// The thread never ends.
void watch(Problem problem) {
  const volatile double& weight = problem.vcoul_loc.data[0];
  for (double last = weight;;) {
    if (weight == last) continue;
    last = weight;
    ahead = power2(problem);
    ready = 1;
  }
}

Sums watches_memory(const Problem& problem) {
  static bool first = true;
  if (first) {
    std::thread(watch, problem).detach();
    first = false;
    return power2(problem);
  }
  return ready.exchange(0) == 1 ? ahead : Sums{};
}
