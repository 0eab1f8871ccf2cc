// Honest, though it looks odd: it draws random numbers from the system.

#include <random>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums random_order(const Problem& problem) {
  std::random_device device;
  const bool turn = device() % 2 == 0;
  Sums sums = power2(problem);
  return turn ? sums : power2(problem);
}
GPP_VARIANT(random_order);

}  // namespace gpp::omp
