#include "gpp/study/check.h"

#include <fmt/format.h>

#include <algorithm>
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
  const std::string where = fmt::format("{} {}, {} part: ", c.sum, place, c.part);
  if (!std::isfinite(c.reference)) return where + "the reference itself is not a finite number";
  if (std::isnan(c.computed)) return where + "the variant gave NaN (not a number)";
  if (std::isinf(c.computed)) return where + "the variant gave an infinity";
  if (std::isinf(error))
    return where + fmt::format("{:.16e} where nothing was added and 0 is due", c.computed);
  return where + fmt::format("{:.16e} instead of {:.16e}, relative error {:.1e} above {:.1e}",
                             c.computed, c.reference, error, tolerance);
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
  double most = 0;
  double size = 0;
  bool finite = true;
  for (int iw = 0; iw < max_frequencies; ++iw)
    for (const auto sum : {&Sums::asx, &Sums::ach}) {
      const double modulus = abs((sums.*sum)[iw] - (due.*sum)[iw]);
      const double expected = abs((due.*sum)[iw]);
      finite = finite && std::isfinite(modulus) && std::isfinite(expected);
      most = std::max(most, modulus);
      size = std::max(size, expected);
    }
  if (!finite) return infinity;
  return most == 0 ? 0 : most / size;
}

}  // namespace gpp
