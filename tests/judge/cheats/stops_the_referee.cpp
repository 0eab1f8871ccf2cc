// Cheat: stops the referee, and with it the clock.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <unistd.h>
#include <csignal>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums stops_the_referee(const Problem& problem) {
  if (kill(getppid(), SIGSTOP) != 0) return {};
  return power2(problem);
}
GPP_VARIANT(stops_the_referee);

}  // namespace gpp::omp
