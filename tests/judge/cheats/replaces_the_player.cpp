// Cheat: defines functions of the player program, so that the library's are called.
//
// Stopped by: separate processes.
// Outcome: wrong.

#include <cstring>

#include "gpp/variant.h"
#include "harness/variant.h"

namespace gpp {

/// The player calls variants through this function.
void Call::on_bytes(const std::byte* /*problem*/, std::byte* answer) const {
  std::memset(static_cast<void*>(answer), 0, answer_bytes());
}

}  // namespace gpp

namespace gpp::omp {

Sums replaces_the_player(const Problem& /*problem*/) { return {}; }
GPP_VARIANT(replaces_the_player);

}  // namespace gpp::omp
