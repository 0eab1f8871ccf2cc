// Cheat: computes when the process ends.
//
// Stopped by: draws.
// Outcome: wrong.

#include <cstdlib>

Problem asked;
Sums late{};

Sums exit_handler(const Problem& problem) {
  asked = problem;
  std::atexit([] { late = power2(asked); });
  return late;
}
