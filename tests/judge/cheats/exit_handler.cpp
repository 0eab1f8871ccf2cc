// Cheat: computes when the process ends.
//
// Stopped by: draws.
// Outcome: wrong.

#include <cstdlib>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

namespace {

Problem asked;
Sums late{};

}  // namespace

Sums exit_handler(const Problem& problem) {
  asked = problem;
  std::atexit([] { late = power2(asked); });
  return late;
}
GPP_VARIANT(exit_handler);

}  // namespace gpp::omp
