// Cheat: counts every second G of the last bands and doubles them.
//
// Stopped by: the tolerance.
// Outcome: wrong.

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums leaves_out_small_terms(const Problem& problem) {
  Problem fewer = problem;
  fewer.ngpown = problem.ngpown - problem.ngpown / 8;
  return power2(fewer);
}
GPP_VARIANT(leaves_out_small_terms);

}  // namespace gpp::omp
