// Cheat: a timer interrupts the code after its return, and computes there.
//
// Stopped by: the clock.
// Outcome: wrong.

#include <sys/time.h>
#include <csignal>

Problem asked;
Sums finished{};

void compute_later(int /*signal*/) { finished = power2(asked); }

Sums alarm_after_the_end(const Problem& problem) {
  asked = problem;
  std::signal(SIGALRM, compute_later);
  const itimerval soon{{0, 0}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  return finished;
}
