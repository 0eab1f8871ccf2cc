// Cheat: searches for stored references of an earlier run.
//
// Stopped by: mount namespace.
// Outcome: wrong.

#include <unistd.h>
#include <initializer_list>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums reads_the_reference(const Problem& problem) {
  for (const char* path : {"/root/.cache/gpp/references", "/home", "/etc/passwd"})
    if (access(path, F_OK) == 0) return power2(problem);
  return {};  // nothing to read
}
GPP_VARIANT(reads_the_reference);

}  // namespace gpp::omp
