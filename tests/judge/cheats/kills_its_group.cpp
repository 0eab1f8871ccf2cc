// Cheat: ends all processes of its group, the referee among them if it were one.
//
// Stopped by: a process group of its own.
// Outcome: ends.

#include <unistd.h>
#include <csignal>

#include "gpp/variant.h"
#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums kills_its_group(const Problem& problem) {
  kill(0, SIGKILL);
  return power2(problem);
}

}  // namespace gpp::omp
