// Cheat: makes its inputs writable, and writes to them.
//
// Stopped by: read-only inputs.
// Outcome: wrong.

#include <sys/mman.h>
#include <cstdint>

#include "gpp/variant.h"

namespace gpp::omp {

Sums unprotects_inputs(const Problem& problem) {
  auto* const page = reinterpret_cast<void*>(
      reinterpret_cast<std::uintptr_t>(problem.vcoul_loc.data) & ~std::uintptr_t{4095});
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0)
    const_cast<double*>(problem.vcoul_loc.data)[0] = 0;
  return {};
}
GPP_VARIANT(unprotects_inputs);

}  // namespace gpp::omp
