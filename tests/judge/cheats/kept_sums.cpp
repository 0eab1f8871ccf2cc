// Cheat: returns the sums of its first run again.
//
// Stopped by: draws.
// Outcome: wrong.

#include <map>

Sums kept_sums(const Problem& problem) {
  static std::map<long long, Sums> kept;  // sums by problem size
  const auto [known, first] = kept.try_emplace(problem.terms());
  if (first) known->second = power2(problem);
  return known->second;
}
