// Cheat: searches for other teams' submissions.
//
// Stopped by: mount namespace.
// Outcome: wrong.

#include <unistd.h>
#include <initializer_list>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums reads_other_submissions(const Problem& problem) {
  for (const char* path : {"/home", "/tmp/submissions", "/var/tmp"})
    if (access(path, F_OK) == 0) return power2(problem);
  return {};  // nothing to read
}
GPP_VARIANT(reads_other_submissions);

}  // namespace gpp::omp
