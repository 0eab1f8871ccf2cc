// The factored form (step v11): expressions that depend on (ig, igp) alone leave the loop over
// bands, and one expression replaces the two branches of ssx.
//
// Source: derived here, by partial fractions of divide.h. With wtilde = a + ib, x = wx, d = x - a,
// t = d^2 + b^2, s = x + a, u = s^2 + b^2:
//   1/(x - wtilde) = (d + ib)/t          1/(x + wtilde) = (s - ib)/u
//   branch 1 holds exactly where t > tau, tau = max(limittwo, |wtilde|^2 / limitone)
//   sch = wtilde I_eps / (x - wtilde) in branch 1, else 0
//   ssx = (sch - wtilde I_eps / (x + wtilde)) / 2 in branches 1 and 2
// so that over the bands only P = sum m d/t, Q = sum m/t (branch 1), R = sum m s/u and T = sum m/u
// (occupied bands) need to be summed.
#pragma once

#include "gpp/forms/lanes.h"
#include "gpp/term.h"

namespace gpp {

/// The values of wtilde that the loop over bands needs: two reals, a square and the branch limit.
template <class Real>
struct FactoredPole {
  Real a;    ///< real part of wtilde
  Real b;    ///< imaginary part of wtilde
  Real b2;   ///< square of b
  Real tau;  ///< branch 1 holds where t > tau
};

template <class Real>
GPP_HOST_DEVICE inline FactoredPole<Real> make_factored_pole(BasicComplex<Real> wtilde,
                                                             const BasicLimits<Real>& limits) {
  const Real bound = norm(wtilde) / limits.limitone;
  return {wtilde.re, wtilde.im, wtilde.im * wtilde.im,
          select(bound > limits.limittwo, bound, limits.limittwo)};
}

/// The sums over bands at one (ig, igp, iw). Over empty bands only P and Q are used.
template <class Real>
struct FactoredSums {
  BasicComplex<Real> P, Q;  ///< sum m d/t, sum m/t over branch 1
  BasicComplex<Real> R, T;  ///< sum m s/u, sum m/u
};

/// Adds one band's m d/t and m/t: all that an empty band contributes.
template <class Real>
GPP_HOST_DEVICE inline void add_resonant(FactoredSums<Real>& sums, const FactoredPole<Real>& pole,
                                         BasicComplex<Real> m, Real x) {
  const Real d = x - pole.a;
  const Real t = d * d + pole.b2;
  const Real r = select(t > pole.tau, inverse(t), Real(0));
  sums.P += (d * r) * m;
  sums.Q += r * m;
}

/// True if every x up to `highest` lies below the pole and in branch 1, so that no band needs the
/// test.
template <class Real>
GPP_HOST_DEVICE inline bool is_clear_of(const FactoredPole<Real>& pole, Real highest) {
  const Real d = pole.a - highest;
  return d > Real(0) && d * d + pole.b2 > pole.tau;
}

/// Does the same as add_resonant for a band that is known to be in branch 1.
template <class Real>
GPP_HOST_DEVICE inline void add_clear(FactoredSums<Real>& sums, const FactoredPole<Real>& pole,
                                      BasicComplex<Real> m, Real x) {
  const Real d = x - pole.a;
  const Real r = inverse(d * d + pole.b2);
  sums.P += (d * r) * m;
  sums.Q += r * m;
}

/// Adds one band's m s/u and m/u, the further contribution of an occupied band (with x >= 0).
template <class Real>
GPP_HOST_DEVICE inline void add_antiresonant(FactoredSums<Real>& sums,
                                             const FactoredPole<Real>& pole, BasicComplex<Real> m,
                                             Real x) {
  const Real s = x + pole.a;
  const Real r = inverse(s * s + pole.b2);
  sums.R += (s * r) * m;
  sums.T += r * m;
}

/// sum sch m = wtilde I_eps (P + ibQ).
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> factored_sch(BasicComplex<Real> wtilde,
                                                       BasicComplex<Real> I_eps,
                                                       const FactoredSums<Real>& sums) {
  const Real b = wtilde.im;
  return (wtilde * I_eps) *
         BasicComplex<Real>{sums.P.re - b * sums.Q.im, sums.P.im + b * sums.Q.re};
}

/// sum ssx m = (wtilde I_eps / 2) ((P + ibQ) - (R - ibT)), P and Q over occupied bands.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> factored_ssx(BasicComplex<Real> wtilde,
                                                       BasicComplex<Real> I_eps,
                                                       const FactoredSums<Real>& sums) {
  const Real b = wtilde.im;
  return (Real(0.5) * (wtilde * I_eps)) *
         BasicComplex<Real>{sums.P.re - sums.R.re - b * (sums.Q.im + sums.T.im),
                            sums.P.im - sums.R.im + b * (sums.Q.re + sums.T.re)};
}

/// |wtilde|^2 below which a pole counts as tiny, eV^2.
inline constexpr double tiny_pole2 = 1e-4;

/// True for a pole so small that its occupied bands must be summed term by term. For |wtilde| << x,
/// branch 1's ssx is a small difference of P and R; and if |delw|^2 <= TOL_Zero outside branch 1
/// ('neither'), the sums would count terms that the definition drops. A pole at exactly 0
/// contributes nothing in either form. Real plasmon energies are far above this limit.
template <class Real>
GPP_HOST_DEVICE inline auto is_tiny(BasicComplex<Real> wtilde, const BasicLimits<Real>& limits) {
  const Real w2 = norm(wtilde);
  return w2 > Real(0) && (w2 <= Real(tiny_pole2) || w2 <= Real(TOL_Zero) * limits.limittwo);
}

/// The excess of ssx in the factored sums where x equals a pole exactly. They give branch 2's
/// limit, -I_eps/4; the definition gives 0, because |delw| is no number.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> beyond_resonance(BasicComplex<Real> wtilde,
                                                           BasicComplex<Real> I_eps, Real x) {
  const auto exact = norm(x - wtilde) <= Real(0);
  return select(exact, Real(-0.25) * I_eps, {Real(0), Real(0)});
}

/// One term in the factored form with the cutoff and 'neither', for bands and poles that the sums
/// leave out. In branch 1 the difference is taken before it can cancel: ssx = sch wtilde / (x +
/// wtilde).
template <class Real>
GPP_HOST_DEVICE inline Term<Real> factored(BasicComplex<Real> wtilde, BasicComplex<Real> I_eps,
                                           Real x, const BasicLimits<Real>& limits) {
  const FactoredPole<Real> pole = make_factored_pole(wtilde, limits);
  const Real d = x - pole.a;
  const Real s = x + pole.a;
  const Real t = d * d + pole.b2;
  const auto far = t > pole.tau;
  const BasicComplex<Real> resonant = inverse(t) * BasicComplex<Real>{d, pole.b};
  const BasicComplex<Real> antiresonant = inverse(s * s + pole.b2) * BasicComplex<Real>{s, -pole.b};

  const BasicComplex<Real> wI = wtilde * I_eps;
  const BasicComplex<Real> sch = select(far, wI * resonant, {Real(0), Real(0)});
  const BasicComplex<Real> ssx = select(far, sch * wtilde, Real(-0.5) * wI) * antiresonant;

  const auto neither = t <= pole.tau && (norm(wtilde) <= Real(TOL_Zero) * t || t <= Real(0));
  // No number at x = -wtilde: the comparison is false; the term is cut, as in divide.h.
  const auto kept = Real(0) <= x || norm(ssx) <= limits.sexcut * limits.sexcut * norm(I_eps);
  const BasicComplex<Real> zero{Real(0), Real(0)};
  return {sch, select(neither, zero, select(kept, ssx, zero))};
}

}  // namespace gpp
