// Cheat: turns the words of the contract into others, so that a call counts as another type.
//
// Stopped by: the check.
// Outcome: wrong.

#define NoAnswer Sums
#define double float
#include "gpp/variant.h"
#undef double

namespace gpp::omp {

Sums redefines_words(const Problem& /*problem*/) { return {}; }

}  // namespace gpp::omp
