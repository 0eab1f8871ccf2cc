// The term with precomputed invariants and reused temporaries. Sums start at zero, so the empty
// branch disappears (step v6).
//
// Source: Yang 2019, "V6. Simplify Code".
#pragma once

#include "gpp/forms/pole.h"

namespace gpp {

/// sch and ssx of one term; `pole` comes from make_pole. Branches are as in divide.h.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> simplified(const Pole<Real>& pole, Real wx,
                                             const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wdiff = wx - pole.wtilde;
  const BasicComplex<Real> delw = pole.wtilde / wdiff;
  const Real delwr = norm(delw);
  const Real wdiffr = norm(wdiff);

  Term<Real> term{};
  if (wdiffr > limits.limittwo && delwr < limits.limitone) {
    const BasicComplex<Real> cden = wx * wx - pole.wtilde2;
    term.sch = delw * pole.I_eps;
    term.ssx = pole.Omega2 / cden;
  } else if (delwr > Real(TOL_Zero)) {
    const BasicComplex<Real> cden = Real(4) * pole.wtilde2 * (delw + Real(0.5));
    term.ssx = -((pole.Omega2 * delw) / cden);
  }
  if (!(abs(term.ssx) <= pole.ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
