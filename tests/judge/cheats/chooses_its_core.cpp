// Cheat: binds itself to the referee's core.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sched.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums chooses_its_core(const Problem& problem) {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  if (sched_setaffinity(0, sizeof(first), &first) != 0) return {};
  return power2(problem);
}
GPP_VARIANT(chooses_its_core);

}  // namespace gpp::omp
