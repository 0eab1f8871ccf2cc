// Cheat: leaves its process group, so that stopping the group does not stop it.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums own_session(const Problem& problem) {
  if (setsid() < 0 && setpgid(0, 0) != 0) return {};
  return power2(problem);
}
GPP_VARIANT(own_session);

}  // namespace gpp::omp
