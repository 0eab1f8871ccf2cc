// One term of the sums, and the limits that separate its branches (BerkeleyGW's own values).
#pragma once

#include "gpp/complex.h"
#include "gpp/markers.h"

namespace gpp {

inline constexpr double TOL_Small = 1e-6;
inline constexpr double TOL_Zero = 1e-12;

/// The limits between the branches of a term. `Real` is as in BasicComplex.
template <class Real>
struct BasicLimits {
  Real limitone;  ///< branch 1 needs |delw|^2 below this: 1 / (4 TOL_Small)
  Real limittwo;  ///< branch 1 needs |wdiff|^2 above this: sig_gamma^2, eV^2
  Real sexcut;    ///< ssx is dropped if |ssx| > sexcut |I_eps| and wx < 0
};

using Limits = BasicLimits<double>;

/// The program computes these limits itself and ignores record 11 of the file.
constexpr Limits make_limits(double sig_gamma, double sexcut) {
  return {1.0 / (4.0 * TOL_Small), sig_gamma * sig_gamma, sexcut};
}

/// The result of one term before its weights: sch is added to ach, ssx to asx.
template <class Real>
struct Term {
  BasicComplex<Real> sch;
  BasicComplex<Real> ssx;
};

}  // namespace gpp
