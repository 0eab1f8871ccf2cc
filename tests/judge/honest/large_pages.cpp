// Honest, though it looks odd: it maps memory by itself and asks for large pages.

#include <sys/mman.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums large_pages(const Problem& problem) {
  constexpr std::size_t bytes = 4 << 20;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  madvise(memory, bytes, MADV_HUGEPAGE);
  static_cast<char*>(memory)[0] = 1;
  munmap(memory, bytes);
  return power2(problem);
}
GPP_VARIANT(large_pages);

}  // namespace gpp::omp
