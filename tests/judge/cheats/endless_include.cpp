// Cheat: includes itself.
//
// Stopped by: the compiler's limits.
// Outcome: not compiled.

#include "gpp/variant.h"

#include __FILE__

namespace gpp::omp {

Sums endless_include(const Problem& /*problem*/) { return {}; }
GPP_VARIANT(endless_include);

}  // namespace gpp::omp
