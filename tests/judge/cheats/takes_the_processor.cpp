// Cheat: takes the processor by real-time priority.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sched.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums takes_the_processor(const Problem& problem) {
  sched_param most{99};
  if (sched_setscheduler(0, SCHED_FIFO, &most) != 0) return {};
  return power2(problem);
}
GPP_VARIANT(takes_the_processor);

}  // namespace gpp::omp
