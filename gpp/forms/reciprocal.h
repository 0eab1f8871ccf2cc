// The term with each complex division written as one real reciprocal and a complex product
// (step v7): a / b = a conj(b) / |b|^2.
//
// Source: Yang 2019, "V7. Replace Divides"; NERSC 2020, step 3.
#pragma once

#include "gpp/forms/pole.h"

namespace gpp {

/// sch and ssx of one term; `pole` comes from make_pole. Branches as in divide.h. For invalid poles
/// (wtilde = 1e12) |cden|^2 reaches 1e48, too large for single precision but not for double.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> reciprocal(const Pole<Real>& pole, Real wx,
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
  if (!(abs(term.ssx) <= pole.ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
