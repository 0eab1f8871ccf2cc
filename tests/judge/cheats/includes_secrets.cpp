// Cheat: makes the compiler print a file of the machine in its messages.
//
// Stopped by: the compiler's sandbox.
// Outcome: not compiled.

#include "gpp/variant.h"

#include "/etc/passwd"

namespace gpp::omp {

Sums includes_secrets(const Problem& /*problem*/) { return {}; }
GPP_VARIANT(includes_secrets);

}  // namespace gpp::omp
