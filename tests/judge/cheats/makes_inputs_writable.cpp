// Cheat: writes to its inputs by ways around their protection: it makes a page writable, maps the
// memory again, and writes through /proc/self/mem. It names the first that works.
//
// Stopped by: read-only inputs.
// Outcome: wrong.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "gpp/variant.h"

namespace gpp::omp {

Sums makes_inputs_writable(const Problem& problem) {
  const auto place = reinterpret_cast<std::uintptr_t>(problem.vcoul_loc.data);
  auto* const page = reinterpret_cast<void*>(place & ~std::uintptr_t{4095});
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0) throw std::runtime_error("mprotect");
  for (int descriptor = 3; descriptor < 64; ++descriptor) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const int again = open(path.c_str(), O_RDWR);
    if (again >= 0 &&
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0) != MAP_FAILED)
      throw std::runtime_error("mapped again: " + path);
  }
  const int memory = open("/proc/self/mem", O_RDWR);
  const double zero = 0;
  if (memory >= 0 && pwrite(memory, &zero, sizeof(zero), static_cast<off_t>(place)) > 0)
    throw std::runtime_error("/proc/self/mem");
  return {};
}
GPP_VARIANT(makes_inputs_writable);

}  // namespace gpp::omp
