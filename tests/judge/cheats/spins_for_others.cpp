// Cheat: leaves spinning threads, to slow down others.
//
// Stopped by: stopping.
// Outcome: harmless.

#include <thread>

Sums spins_for_others(const Problem& problem) {
  static bool first = true;
  for (int i = 0; i < 8 && first; ++i)
    std::thread([] {
      for (volatile int turns = 0;;) turns = turns + 1;
    }).detach();
  first = false;
  return power2(problem);
}
