// Cheat: redefines names of the interface, so that a call counts as another type.
//
// Stopped by: the compiler's own checks.
// Outcome: not compiled.

#define NoAnswer Sums
#include "gpp/variant.h"

namespace gpp::omp {

Sums redefines_words(const Problem& /*problem*/) { return {}; }
GPP_VARIANT(redefines_words);

}  // namespace gpp::omp
