#include "gpp/study/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Keeps the component with the largest error.
class Judge {
 public:
  Judge(int nfreq, double tolerance) : nfreq_(nfreq) {
    check_.tolerance = tolerance;
    check_.passed = true;
  }

  void look_at(const Component& component) {
    const double error = relative_error(component);
    const bool good = std::isfinite(error) && error <= check_.tolerance;
    if (!good && (check_.passed || error > check_.max_relative_error)) {
      check_.passed = false;
      check_.reason = describe(component, nfreq_, error, check_.tolerance);
    }
    check_.max_relative_error = std::max(check_.max_relative_error, error);
  }

  Check verdict() const { return check_; }

 private:
  int nfreq_;
  Check check_;
};

}  // namespace

Check check(const Sums& computed, const Reference& reference, int nfreq, double tolerance) {
  Judge judge(nfreq, tolerance);
  const auto look_at = [&](const char* sum, int iw, Complex value, Complex due, Complex parts,
                           Complex ties) {
    if (iw >= nfreq) due = parts = ties = Complex{};
    const double magnitude = abs(parts);
    judge.look_at({sum, iw, "real", value.re, due.re, magnitude, ties.re});
    judge.look_at({sum, iw, "imaginary", value.im, due.im, magnitude, ties.im});
  };
  const Sums& sums = reference.sums;
  const Sums& magnitude = reference.magnitude;
  const Sums& ties = reference.ties;
  for (int iw = 0; iw < max_frequencies; ++iw) {
    look_at("asx", iw, computed.asx[iw], sums.asx[iw], magnitude.asx[iw], ties.asx[iw]);
    look_at("ach", iw, computed.ach[iw], sums.ach[iw], magnitude.ach[iw], ties.ach[iw]);
  }
  return judge.verdict();
}

double difference(const Sums& sums, const Sums& due) {
  double most = 0;
  double size = 0;
  bool finite = true;
  const auto look_at = [&](Complex computed, Complex expected) {
    const double modulus = abs(computed - expected);
    finite = finite && std::isfinite(modulus) && std::isfinite(abs(expected));
    most = std::max(most, modulus);
    size = std::max(size, abs(expected));
  };
  for (int iw = 0; iw < max_frequencies; ++iw) {
    look_at(sums.asx[iw], due.asx[iw]);
    look_at(sums.ach[iw], due.ach[iw]);
  }
  if (!finite) return infinity;
  return most == 0 ? 0 : most / size;
}

}  // namespace gpp
