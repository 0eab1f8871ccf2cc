// Honest, though it looks odd: it asks the system for the number of cores.

#include <thread>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums reads_the_processor(const Problem& problem) {
  const unsigned cores = std::thread::hardware_concurrency();
  return cores > 0 ? power2(problem) : power2(problem);
}
GPP_VARIANT(reads_the_processor);

}  // namespace gpp::omp
