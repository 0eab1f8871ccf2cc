// Cheat: defines clock_gettime, which others may call to measure it, and takes 30 ms longer.
//
// Stopped by: the referee's own clock.
// Outcome: told 0.03.

#include <unistd.h>
#include <ctime>

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t /*clock*/,
                                                                    timespec* time) noexcept {
  *time = {1, 0};
  return 0;
}

Sums own_clock(const Problem& problem) {
  usleep(30000);
  return power2(problem);
}
