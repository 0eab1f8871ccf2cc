// Values of a term that depend only on (ig, igp), outside the loop over bands (step v6 and later).
#pragma once

#include "gpp/term.h"

namespace gpp {

template <class Real>
struct Pole {
  BasicComplex<Real> wtilde;
  BasicComplex<Real> wtilde2;  ///< wtilde^2
  BasicComplex<Real> I_eps;
  BasicComplex<Real> Omega2;  ///< wtilde^2 I_eps
  Real ssxcutoff;             ///< the cutoff of ssx, which depends on the form
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
