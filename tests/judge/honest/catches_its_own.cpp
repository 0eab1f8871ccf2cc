// Honest, though it looks odd: it throws and catches.

#include <stdexcept>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums catches_its_own(const Problem& problem) {
  try {
    if (problem.nbands >= 0) throw std::runtime_error("no way");
  } catch (const std::runtime_error&) {
    return power2(problem);
  }
  return {};
}
GPP_VARIANT(catches_its_own);

}  // namespace gpp::omp
