// Honest, though it looks odd: it is slow for no reason.

#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums sleeps_a_little(const Problem& problem) {
  usleep(200);
  return power2(problem);
}
GPP_VARIANT(sleeps_a_little);

}  // namespace gpp::omp
