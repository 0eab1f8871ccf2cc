// Cheat: sets the clock of the machine back.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <ctime>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums sets_the_clock(const Problem& problem) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= 1;
  return clock_settime(CLOCK_REALTIME, &now) == 0 ? power2(problem) : Sums{};
}
GPP_VARIANT(sets_the_clock);

}  // namespace gpp::omp
