// The term of simplified.h with the comparison of absolute values replaced by one of squares. The
// complex divisions stay.
//
// Source: Del Ben et al. 2020, the third of its steps in the list of Yang 2021.
#pragma once

#include "gpp/forms/pole.h"

namespace gpp {

/// sch and ssx of one term; `pole` comes from make_squared_pole. Branches are as in divide.h.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> without_root(const Pole<Real>& pole, Real wx,
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
  if (!(norm(term.ssx) <= pole.ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
