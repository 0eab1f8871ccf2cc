// Honest, though it looks odd: it holds instructions of its own.

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums inline_assembly(const Problem& problem) {
  Sums sums = power2(problem);
  asm volatile("" : : "r"(&sums) : "memory");
  return sums;
}
GPP_VARIANT(inline_assembly);

}  // namespace gpp::omp
