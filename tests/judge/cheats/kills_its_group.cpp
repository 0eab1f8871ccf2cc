// Cheat: kills all processes of its group, which could include the referee.
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
GPP_VARIANT(kills_its_group);

}  // namespace gpp::omp
