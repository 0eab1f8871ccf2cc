// Cheat: exits successfully before it has an answer.
//
// Stopped by: answers that must come.
// Outcome: ends.

#include <cstdlib>

#include "gpp/variant.h"

namespace gpp::omp {

Sums exits_with_success(const Problem& problem) { std::_Exit(problem.nbands < 0); }
GPP_VARIANT(exits_with_success);

}  // namespace gpp::omp
