#include "gpp/study/original.h"

#include <fmt/format.h>

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

/// The |difference| between the results of the sums and the expected ones at one frequency, from 0;
/// infinity for NaN.
struct Differences {
  double asx;
  double ach;
};

Differences differences(const Sums& sums, const Input& input, int iw) {
  const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
  const auto between = [](Complex result, Complex due) {
    const double difference = abs(result - due);
    return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
  };
  return {between(input.asxtemp[slot] + sums.asx[iw], input.asxtempref[slot]),
          between(input.achtemp[slot] + sums.ach[iw], input.achtempref[slot])};
}

}  // namespace

std::optional<OriginalVerdict> original_verdict(const Sums& sums, const Input& input) {
  if (!carries_reference(input)) return std::nullopt;
  const Differences first = differences(sums, input, 0);
  const Differences last = differences(sums, input, input.nfreq() - 1);
  OriginalVerdict verdict;
  verdict.max_difference = std::max(first.asx + last.asx, first.ach + last.ach);
  verdict.correct = verdict.max_difference < original_tolerance;
  return verdict;
}

std::string disagreement(const Reference& reference, const Input& input) {
  if (!carries_reference(input)) return {};
  const double terms = static_cast<double>(input.terms()) / input.nfreq();
  const double rounding = std::numeric_limits<double>::epsilon() * std::sqrt(terms);
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    const Differences difference = differences(reference.sums, input, iw);
    const auto wrong = [&](const char* name, int record, double size, Complex magnitude,
                           Complex ties) -> std::string {
      const double allowed = std::max(original_tolerance, rounding * abs(magnitude)) + abs(ties);
      if (size <= allowed) return {};
      return fmt::format(
          "{} at frequency {} differs from record {} by {:.1e} Ry; rounding explains {:.1e}", name,
          input.nstart + iw, record, size, allowed);
    };
    const std::string asx =
        wrong("asx", 17, difference.asx, reference.magnitude.asx[iw], reference.ties.asx[iw]);
    if (!asx.empty()) return asx;
    const std::string ach =
        wrong("ach", 18, difference.ach, reference.magnitude.ach[iw], reference.ties.ach[iw]);
    if (!ach.empty()) return ach;
  }
  return {};
}

}  // namespace gpp
