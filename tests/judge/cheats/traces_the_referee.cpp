// Cheat: attaches to the referee as a debugger, to read the expected sums.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sys/ptrace.h>
#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums traces_the_referee(const Problem& problem) {
  if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) != 0) return {};
  return power2(problem);
}
GPP_VARIANT(traces_the_referee);

}  // namespace gpp::omp
