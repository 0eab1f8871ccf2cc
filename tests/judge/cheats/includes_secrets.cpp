// Cheat: makes the compiler print a file of the machine in its messages. A macro names it, which
// nobody looks at before.
//
// Stopped by: mount namespace.
// Outcome: not compiled.

#include "gpp/variant.h"

#define FILE </etc/passwd>
#include FILE

namespace gpp::omp {

Sums includes_secrets(const Problem& /*problem*/) { return {}; }
GPP_VARIANT(includes_secrets);

}  // namespace gpp::omp
