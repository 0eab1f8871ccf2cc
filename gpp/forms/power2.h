// The term with the comparison of absolute values replaced by one of squares (step v8): no square
// root is left.
//
// Source: SC19 tutorial (document 000), "V8. Replace abs(x) with x**2".
#pragma once

#include "gpp/forms/term.h"

namespace gpp {

/// sch and ssx of one term; `pole` from make_squared_pole. Branches as in divide.h.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> power2(const Pole<Real>& pole, Real wx,
                                         const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wdiff = wx - pole.wtilde;
  const Real wdiffr = norm(wdiff);
  const BasicComplex<Real> delw = (Real(1) / wdiffr) * (pole.wtilde * conj(wdiff));
  const Real delwr = norm(delw);

  Term<Real> term{};
  const bool far = wdiffr > limits.limittwo && delwr < limits.limitone;
  if (far || delwr > Real(TOL_Zero)) {
    if (far) term.sch = delw * pole.I_eps;
    const BasicComplex<Real> numerator = far ? pole.Omega2 : -(pole.Omega2 * delw);
    const BasicComplex<Real> cden =
        far ? wx * wx - pole.wtilde2 : Real(4) * pole.wtilde2 * (delw + Real(0.5));
    term.ssx = (Real(1) / norm(cden)) * (numerator * conj(cden));
  }
  if (wx < Real(0) && norm(term.ssx) > pole.ssxcutoff) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
