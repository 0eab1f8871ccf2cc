// Cheat: computes in a constructor, before the first request.
//
// Stopped by: draws.
// Outcome: wrong.

#include <cstring>

#include "gpp/variant.h"

namespace gpp::omp {

namespace {

Sums early{};

/// A host's inputs have a fixed address.
[[gnu::constructor]] void compute_early() {
  const auto* inputs = reinterpret_cast<const double*>(0x300000000000);
  std::memcpy(&early, inputs, sizeof(early));
}

}  // namespace

Sums constructor_computes(const Problem& problem) { return problem.nbands > 0 ? early : Sums{}; }
GPP_VARIANT(constructor_computes);

}  // namespace gpp::omp
