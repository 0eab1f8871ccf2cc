// The common part of the arithmetic forms.
#pragma once

#include "gpp/complex.h"
#include "gpp/limits.h"

namespace gpp {

/// The result of one term before its weights: sch goes to ach, ssx to asx.
template <class Real>
struct Term {
  BasicComplex<Real> sch;
  BasicComplex<Real> ssx;
};

/// The quantities of a term that (ig, igp) alone decides: invariant in the loop over bands (step
/// v6).
template <class Real>
struct Pole {
  BasicComplex<Real> wtilde;
  BasicComplex<Real> wtilde2;  ///< wtilde^2
  BasicComplex<Real> I_eps;
  BasicComplex<Real> Omega2;  ///< wtilde^2 I_eps
  Real ssxcutoff;             ///< the maker says how
};

/// The pole with ssxcutoff = sexcut |I_eps| (step v6).
template <class Real>
GPP_HOST_DEVICE inline Pole<Real> make_pole(BasicComplex<Real> wtilde, BasicComplex<Real> I_eps,
                                            const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wtilde2 = wtilde * wtilde;
  return {wtilde, wtilde2, I_eps, wtilde2 * I_eps, limits.sexcut * abs(I_eps)};
}

/// The pole with ssxcutoff = sexcut^2 |I_eps|^2: no square root (step v8).
template <class Real>
GPP_HOST_DEVICE inline Pole<Real> make_squared_pole(BasicComplex<Real> wtilde,
                                                    BasicComplex<Real> I_eps,
                                                    const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wtilde2 = wtilde * wtilde;
  return {wtilde, wtilde2, I_eps, wtilde2 * I_eps, limits.sexcut * limits.sexcut * norm(I_eps)};
}

}  // namespace gpp
