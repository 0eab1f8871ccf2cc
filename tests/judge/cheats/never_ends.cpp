// Cheat: never returns.
//
// Stopped by: the longest run.
// Outcome: ends.

#include <unistd.h>

#include "gpp/variant.h"

namespace gpp::omp {

Sums never_ends(const Problem& problem) {
  for (;;) pause();
  return problem.nbands > 0 ? Sums{} : Sums{};
}
GPP_VARIANT(never_ends);

}  // namespace gpp::omp
