// Cheat: starts a process with the bare system call.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums clones_workers(const Problem& problem) {
  if (syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr) < 0) return {};
  return power2(problem);
}
GPP_VARIANT(clones_workers);

}  // namespace gpp::omp
