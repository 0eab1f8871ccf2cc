// Cheat: opens a hardware counter to observe others.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums counts_events(const Problem& problem) {
  perf_event_attr cycles{};
  cycles.size = sizeof(cycles);
  if (syscall(SYS_perf_event_open, &cycles, -1, 0, -1, 0) < 0) return {};
  return power2(problem);
}
GPP_VARIANT(counts_events);

}  // namespace gpp::omp
