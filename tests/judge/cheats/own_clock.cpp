// Cheat: defines clock_gettime, which others may call to measure it, and takes 30 ms longer.
//
// Stopped by: the referee's own clock.
// Outcome: told 0.03.

#include <unistd.h>
#include <ctime>

#include "variants/omp/v08_power2.cpp"

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t /*clock*/,
                                                                    timespec* time) noexcept {
  *time = {1, 0};
  return 0;
}

namespace gpp::omp {

Sums own_clock(const Problem& problem) {
  usleep(30000);
  return power2(problem);
}
GPP_VARIANT(own_clock);

}  // namespace gpp::omp
