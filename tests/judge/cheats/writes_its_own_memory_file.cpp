// Cheat: writes to its inputs through /proc/self/mem, which ignores page protection.
//
// Stopped by: read-only inputs.
// Outcome: wrong.

#include <fcntl.h>
#include <unistd.h>
#include <cstdint>

#include "gpp/variant.h"

namespace gpp::omp {

Sums writes_its_own_memory_file(const Problem& problem) {
  const int memory = open("/proc/self/mem", O_RDWR);
  const double zero = 0;
  const auto place = reinterpret_cast<std::uintptr_t>(problem.vcoul_loc.data);
  if (memory >= 0 && pwrite(memory, &zero, sizeof(zero), static_cast<off_t>(place)) > 0) return {};
  return {};  // in both cases the expected sums are the earlier ones
}
GPP_VARIANT(writes_its_own_memory_file);

}  // namespace gpp::omp
