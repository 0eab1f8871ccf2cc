// The term of power2.h with the sign of wx tested before |ssx|, so that bands with wx >= 0 skip
// |ssx| (step v9).
#pragma once

#include "gpp/forms/pole.h"

namespace gpp {

/// sch and ssx of one term; `pole` comes from make_squared_pole. Branches are as in divide.h.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> sign_first(const Pole<Real>& pole, Real wx,
                                             const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wdiff = wx - pole.wtilde;
  const Real wdiffr = norm(wdiff);
  const BasicComplex<Real> delw = (Real(1) / wdiffr) * (pole.wtilde * conj(wdiff));
  const Real delwr = norm(delw);

  Term<Real> term{};
  if (wdiffr > limits.limittwo && delwr < limits.limitone) {
    const BasicComplex<Real> cden = wx * wx - pole.wtilde2;
    term.sch = delw * pole.I_eps;
    term.ssx = (Real(1) / norm(cden)) * (pole.Omega2 * conj(cden));
  } else if (delwr > Real(TOL_Zero)) {
    const BasicComplex<Real> cden = Real(4) * pole.wtilde2 * (delw + Real(0.5));
    term.ssx = -((Real(1) / norm(cden)) * ((pole.Omega2 * delw) * conj(cden)));
  }
  if (wx < Real(0) && !(norm(term.ssx) <= pole.ssxcutoff)) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
