// One term in extended precision, written only from section 1 of the design.
#pragma once

#include <cmath>
#include <complex>

#include "gpp/complex.h"
#include "gpp/term.h"

namespace gpp::test {

using Extended = long double;
using ExtendedComplex = std::complex<Extended>;

inline ExtendedComplex extended(Complex z) { return {z.re, z.im}; }

enum class Branch { one, two, neither };

struct ExtendedTerm {
  ExtendedComplex sch, ssx;
  Branch branch;
  bool cut;

  /// The factor by which the error of ssx may exceed the rounding of its operations:
  Extended definition_condition;  ///< if x^2 - w^2, or delw + 1/2, is formed and cancels
  Extended difference_condition;  ///< if 1/(x-w) and 1/(x+w) are subtracted and cancel

  /// The distance of the term to another branch or the cutoff: 0 is on the border.
  Extended distance_to_border;
};

inline Extended relative_distance(Extended value, Extended border) {
  return border == 0 ? 1 : std::abs(value / border - 1);
}

/// Branches are compared in squares, as in the definition; the cutoff is compared in absolute
/// values.
inline ExtendedTerm extended_term(Complex wtilde, Complex I_eps, double wx, const Limits& limits) {
  const ExtendedComplex w = extended(wtilde);
  const ExtendedComplex I = extended(I_eps);
  const Extended x = wx;
  const ExtendedComplex wdiff = x - w;
  const ExtendedComplex delw = w / wdiff;
  const Extended wdiffr = std::norm(wdiff);
  const Extended delwr = std::norm(delw);
  const ExtendedComplex Omega2 = w * w * I;

  ExtendedTerm term{{0, 0}, {0, 0}, Branch::neither, false, 1, 1, 1};
  term.distance_to_border = std::min(relative_distance(wdiffr, limits.limittwo),
                                     relative_distance(delwr, limits.limitone));
  if (wdiffr > limits.limittwo && delwr < limits.limitone) {
    term.branch = Branch::one;
    const ExtendedComplex cden = (x - w) * (x + w);
    term.sch = delw * I;
    term.ssx = Omega2 / cden;
    term.definition_condition = 1 + (x * x + std::norm(w)) / std::abs(cden);
    if (w != ExtendedComplex(0))
      term.difference_condition = 1 + (std::abs(x + w) + std::abs(x - w)) / (2 * std::abs(w));
  } else if (delwr > TOL_Zero) {
    term.branch = Branch::two;
    const ExtendedComplex shifted = delw + Extended(0.5);
    term.ssx = -Omega2 * delw / (Extended(4) * w * w * shifted);
    term.definition_condition = 1 + (std::abs(delw) + Extended(0.5)) / std::abs(shifted);
  }
  if (term.branch != Branch::one)
    term.distance_to_border =
        std::min(term.distance_to_border, relative_distance(delwr, Extended(TOL_Zero)));
  if (wx < 0) {
    const Extended cutoff = limits.sexcut * std::abs(I);
    term.distance_to_border =
        std::min(term.distance_to_border, relative_distance(std::abs(term.ssx), cutoff));
    term.cut = std::abs(term.ssx) > cutoff;
    if (term.cut) term.ssx = 0;
  }
  return term;
}

}  // namespace gpp::test
