// Cheat: opens a socket to ask another machine.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sys/socket.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums calls_home(const Problem& problem) {
  if (socket(AF_INET, SOCK_STREAM, 0) < 0) return {};
  return power2(problem);
}
GPP_VARIANT(calls_home);

}  // namespace gpp::omp
