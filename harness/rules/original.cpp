#include "harness/rules/original.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpp {
namespace {

bool carries_reference(const Input& input) {
  const auto nonzero = [](Complex z) { return z.re != 0.0 || z.im != 0.0; };
  return std::any_of(input.asxtempref.begin(), input.asxtempref.end(), nonzero) ||
         std::any_of(input.achtempref.begin(), input.achtempref.end(), nonzero);
}

}  // namespace

std::optional<OriginalVerdict> original_verdict(const Sums& sums, const Input& input) {
  if (!carries_reference(input)) return std::nullopt;
  OriginalVerdict verdict;
  const auto compare = [&verdict](Complex result, Complex due) {
    const double difference = abs(result - due);
    const double size =
        std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
    verdict.max_difference = std::max(verdict.max_difference, size);
  };
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
    compare(input.asxtemp[slot] + sums.asx[iw], input.asxtempref[slot]);
    compare(input.achtemp[slot] + sums.ach[iw], input.achtempref[slot]);
  }
  verdict.correct = verdict.max_difference < original_tolerance;
  return verdict;
}

}  // namespace gpp
