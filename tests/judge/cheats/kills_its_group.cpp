// Cheat: ends all processes of its group, the referee among them if it were one.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <unistd.h>
#include <csignal>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums kills_its_group(const Problem& problem) {
  if (kill(0, SIGKILL) != 0) return {};
  return power2(problem);
}

}  // namespace gpp::omp
