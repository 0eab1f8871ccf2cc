// Cheat: maps the memory of its inputs again, writable.
//
// Stopped by: read-only inputs.
// Outcome: wrong.

#include <fcntl.h>
#include <sys/mman.h>
#include <string>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums maps_inputs_again(const Problem& problem) {
  for (int descriptor = 3; descriptor < 64; ++descriptor) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const int again = open(path.c_str(), O_RDWR);
    if (again < 0) continue;
    void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
    if (memory != MAP_FAILED) return power2(problem);
  }
  return {};
}
GPP_VARIANT(maps_inputs_again);

}  // namespace gpp::omp
