// Cheat: makes a library of ten gigabytes.
//
// Stopped by: the compiler's limits.
// Outcome: not compiled.

#include "gpp/variant.h"

namespace gpp::omp {

char bytes[10ULL << 30] = {1};

Sums huge_library(const Problem& problem) { return {{{double(bytes[problem.nbands]), 0}}, {}}; }
GPP_VARIANT(huge_library);

}  // namespace gpp::omp
