#include "gpp/study/original.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gpp {
namespace {

bool carries_reference(const Input& input) {
  const auto nonzero = [](Complex z) { return z.re != 0.0 || z.im != 0.0; };
  return std::any_of(input.asxtempref.begin(), input.asxtempref.end(), nonzero) ||
         std::any_of(input.achtempref.begin(), input.achtempref.end(), nonzero);
}

/// A sum, with the records that it is added to and compared with.
struct Compared {
  const char* name;
  Complex (Sums::*sum)[max_frequencies];
  std::array<Complex, 3> Input::*before;
  std::array<Complex, 3> Input::*due;
  int record;  ///< the number of `due`
};
constexpr Compared asx = {"asx", &Sums::asx, &Input::asxtemp, &Input::asxtempref, 17};
constexpr Compared ach = {"ach", &Sums::ach, &Input::achtemp, &Input::achtempref, 18};

/// The |difference| between the result of a sum and the expected one at one frequency, from 0;
/// infinity for NaN.
double difference_of(const Compared& of, const Sums& sums, const Input& input, int iw) {
  const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
  const double difference =
      abs((input.*of.before)[slot] + (sums.*of.sum)[iw] - (input.*of.due)[slot]);
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<OriginalVerdict> original_verdict(const Sums& sums, const Input& input) {
  if (!carries_reference(input)) return std::nullopt;
  OriginalVerdict verdict;
  for (const Compared& of : {asx, ach})
    verdict.max_difference =
        std::max(verdict.max_difference, difference_of(of, sums, input, 0) +
                                             difference_of(of, sums, input, input.nfreq() - 1));
  verdict.correct = verdict.max_difference < original_tolerance;
  return verdict;
}

std::string disagreement(const Reference& reference, const Input& input) {
  if (!carries_reference(input)) return {};
  const double terms = static_cast<double>(input.terms()) / input.nfreq();
  const double rounding = std::numeric_limits<double>::epsilon() * std::sqrt(terms);
  for (int iw = 0; iw < input.nfreq(); ++iw)
    for (const Compared& of : {asx, ach}) {
      const double size = difference_of(of, reference.sums, input, iw);
      const double allowed =
          std::max(original_tolerance, rounding * abs((reference.magnitude.*of.sum)[iw])) +
          abs((reference.ties.*of.sum)[iw]);
      if (!(size <= allowed))
        return fmt::format(
            "{} at frequency {} differs from record {} by {:.1e} Ry; rounding explains {:.1e}",
            of.name, input.nstart + iw, of.record, size, allowed);
    }
  return {};
}

}  // namespace gpp
