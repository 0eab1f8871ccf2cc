// Cheat: gives NaN, which is equal to nothing.
//
// Stopped by: the check.
// Outcome: wrong.

#include <limits>

#include "gpp/variant.h"

namespace gpp::omp {

Sums not_a_number(const Problem& problem) {
  Sums sums{};
  sums.asx[0].re = problem.nbands > 0 ? std::numeric_limits<double>::quiet_NaN() : 0;
  return sums;
}
GPP_VARIANT(not_a_number);

}  // namespace gpp::omp
