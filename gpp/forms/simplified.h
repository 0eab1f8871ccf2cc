// The term with its invariants given and its temporaries reused; sums start at zero, so that the
// empty branch disappears (step v6).
//
// Source: SC19 tutorial (document 000), "V6. Simplify Code".
#pragma once

#include "gpp/forms/term.h"

namespace gpp {

/// sch and ssx of one term; `pole` from make_pole. Branches as in divide.h.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> simplified(const Pole<Real>& pole, Real wx,
                                             const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wdiff = wx - pole.wtilde;
  const BasicComplex<Real> delw = pole.wtilde / wdiff;
  const Real delwr = norm(delw);

  Term<Real> term{};
  const bool far = norm(wdiff) > limits.limittwo && delwr < limits.limitone;
  if (far || delwr > Real(TOL_Zero)) {
    if (far) term.sch = delw * pole.I_eps;
    const BasicComplex<Real> numerator = far ? pole.Omega2 : -(pole.Omega2 * delw);
    const BasicComplex<Real> cden =
        far ? wx * wx - pole.wtilde2 : Real(4) * pole.wtilde2 * (delw + Real(0.5));
    term.ssx = numerator / cden;
  }
  if (wx < Real(0) && abs(term.ssx) > pole.ssxcutoff) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
