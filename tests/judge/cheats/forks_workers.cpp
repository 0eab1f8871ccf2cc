// Cheat: starts a process that computes ahead while this one is stopped.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums forks_workers(const Problem& problem) {
  if (fork() < 0) return {};
  return power2(problem);
}
GPP_VARIANT(forks_workers);

}  // namespace gpp::omp
