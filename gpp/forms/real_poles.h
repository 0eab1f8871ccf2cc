// The factored form where every wtilde is real (step v12): d/t = 1/d and s/u = 1/s, so Q and T are
// not needed and the squares vanish.
//
// Source: derived here, from factored.h with b = 0. BerkeleyGW's default treatment of invalid poles
// gives Im wtilde = 0 throughout; Problem::real_poles says whether an input is so.
#pragma once

#include <cmath>

#include "gpp/forms/factored.h"

namespace gpp {

/// The values of a real wtilde that the loop over bands needs.
template <class Real>
struct RealPole {
  Real a;        ///< wtilde
  Real nearest;  ///< branch 1 holds where |d| > nearest = sqrt(tau)
};

template <class Real>
GPP_HOST_DEVICE inline RealPole<Real> make_real_pole(BasicComplex<Real> wtilde,
                                                     const BasicLimits<Real>& limits) {
  using std::sqrt;
  return {wtilde.re, sqrt(make_factored_pole(wtilde, limits).tau)};
}

/// The sums over bands at one (ig, igp, iw): P = sum m/d over branch 1, R = sum m/s.
template <class Real>
struct RealPoleSums {
  BasicComplex<Real> P, R;
};

/// Adds one band's m/d, the only contribution of an empty band.
template <class Real>
GPP_HOST_DEVICE inline void add_resonant(RealPoleSums<Real>& sums, const RealPole<Real>& pole,
                                         BasicComplex<Real> m, Real x) {
  using std::fabs;
  const Real d = x - pole.a;
  const Real r = select(fabs(d) > pole.nearest, inverse(d), Real(0));
  sums.P += r * m;
}

/// True if every x up to `highest` lies below the pole and in branch 1.
template <class Real>
GPP_HOST_DEVICE inline bool is_clear_of(const RealPole<Real>& pole, Real highest) {
  return pole.a - highest > pole.nearest;
}

/// Does the same as add_resonant for a band that is known to be in branch 1.
template <class Real>
GPP_HOST_DEVICE inline void add_clear(RealPoleSums<Real>& sums, const RealPole<Real>& pole,
                                      BasicComplex<Real> m, Real x) {
  sums.P += inverse(x - pole.a) * m;
}

/// Adds one band's m/s, the further contribution of an occupied band (with x >= 0).
template <class Real>
GPP_HOST_DEVICE inline void add_antiresonant(RealPoleSums<Real>& sums, const RealPole<Real>& pole,
                                             BasicComplex<Real> m, Real x) {
  sums.R += inverse(x + pole.a) * m;
}

/// sum sch m = wtilde I_eps P.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> real_pole_sch(BasicComplex<Real> wtilde,
                                                        BasicComplex<Real> I_eps,
                                                        const RealPoleSums<Real>& sums) {
  return (wtilde.re * I_eps) * sums.P;
}

/// sum ssx m = (wtilde I_eps / 2) (P - R), P over occupied bands.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> real_pole_ssx(BasicComplex<Real> wtilde,
                                                        BasicComplex<Real> I_eps,
                                                        const RealPoleSums<Real>& sums) {
  return (Real(0.5) * wtilde.re * I_eps) * (sums.P - sums.R);
}

}  // namespace gpp
