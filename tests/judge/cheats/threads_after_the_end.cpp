// Cheat: returns at once; a thread finishes the sums, which the next call returns.
//
// Stopped by: the clock.
// Outcome: wrong.

#include <thread>

Sums threads_after_the_end(const Problem& problem) {
  static Sums finished{};
  static std::thread worker;
  if (worker.joinable()) worker.join();
  const Sums sums = finished;
  worker = std::thread([problem] { finished = power2(problem); });
  return sums;
}
