// Cheat: becomes another program that loads a library before all others.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums starts_a_program(const Problem& problem) {
  char name[] = "gpp", preload[] = "LD_PRELOAD=/tmp/clock.so";
  char* const arguments[] = {name, nullptr};
  char* const variables[] = {preload, nullptr};
  execve("/proc/self/exe", arguments, variables);
  return problem.nbands > 0 ? Sums{} : power2(problem);
}
GPP_VARIANT(starts_a_program);

}  // namespace gpp::omp
