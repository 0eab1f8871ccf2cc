#include "gpp/study/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace gpp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One real number of the sums, with its expected value.
struct Component {
  const char* sum;   // "asx" or "ach"
  int iw;            // index of the frequency, from 0
  const char* part;  // "real" or "imaginary"
  double computed;
  double reference;
  double magnitude;
  double ties;
};

/// Returns infinity if no error can be stated; such a component fails at any tolerance.
double relative_error(const Component& c) {
  if (!std::isfinite(c.computed) || !std::isfinite(c.reference)) return infinity;
  const double scale = std::max(std::abs(c.reference), cancellation_floor * c.magnitude);
  if (scale == 0.0) return c.computed == 0.0 ? 0.0 : infinity;
  return std::max(0.0, std::abs(c.computed - c.reference) - c.ties) / scale;
}

std::string describe(const Component& c, int nfreq, double error, double tolerance) {
  const std::string place = c.iw < nfreq ? fmt::format("at frequency {} of {}", c.iw + 1, nfreq)
                                         : "beyond the last frequency";
  const char* const due = std::isfinite(c.reference) ? "" : " (the reference itself is no number)";
  return fmt::format(
      "{} {}, {} part: {:.16e} instead of {:.16e}{}, relative error {:.1e} above {:.1e}", c.sum,
      place, c.part, c.computed, c.reference, due, error, tolerance);
}

// ---- The original program

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

Check check(const Sums& computed, const Reference& reference, int nfreq, double tolerance) {
  Check verdict{0, tolerance, true, {}};
  const auto look_at_part = [&](const Component& component) {
    const double error = relative_error(component);
    const bool good = std::isfinite(error) && error <= tolerance;
    if (!good && (verdict.passed || error > verdict.max_relative_error)) {
      verdict.passed = false;
      verdict.reason = describe(component, nfreq, error, tolerance);
    }
    verdict.max_relative_error = std::max(verdict.max_relative_error, error);
  };
  for (int iw = 0; iw < max_frequencies; ++iw)
    for (const auto& [name, sum] : {std::pair("asx", &Sums::asx), {"ach", &Sums::ach}}) {
      const Complex value = (computed.*sum)[iw];
      Complex due = (reference.sums.*sum)[iw], parts = (reference.magnitude.*sum)[iw];
      Complex ties = (reference.ties.*sum)[iw];
      if (iw >= nfreq) due = parts = ties = Complex{};
      const double magnitude = abs(parts);
      look_at_part({name, iw, "real", value.re, due.re, magnitude, ties.re});
      look_at_part({name, iw, "imaginary", value.im, due.im, magnitude, ties.im});
    }
  return verdict;
}

double difference(const Sums& sums, const Sums& due) {
  double most = 0, size = 0;
  for (int iw = 0; iw < max_frequencies; ++iw)
    for (const auto sum : {&Sums::asx, &Sums::ach}) {
      const double modulus = abs((sums.*sum)[iw] - (due.*sum)[iw]);
      const double expected = abs((due.*sum)[iw]);
      if (!std::isfinite(modulus) || !std::isfinite(expected)) return infinity;
      most = std::max(most, modulus);
      size = std::max(size, expected);
    }
  return most == 0 ? 0 : most / size;
}

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
