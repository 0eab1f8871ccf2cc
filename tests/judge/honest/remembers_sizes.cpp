// Honest, though it looks odd: it keeps facts about sizes, and recognises problems by them.

#include <map>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums remembers_sizes(const Problem& problem) {
  static std::map<int, int> seen;
  ++seen[problem.nbands];
  return power2(problem);
}
GPP_VARIANT(remembers_sizes);

}  // namespace gpp::omp
