// Honest, though it looks odd: its sums differ by 1e-12, as with another order of summation, which
// is accurate enough.
//

#include "gpp/variant.h"
#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums within_the_tolerance(const Problem& problem) {
  Sums sums = power2(problem);
  for (int iw = 0; iw < problem.nfreq; ++iw) sums.asx[iw] = sums.asx[iw] * (1 + 1e-12);
  return sums;
}

}  // namespace gpp::omp
