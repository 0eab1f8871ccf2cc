// The term of without_division.h with the comparison of absolute values replaced by one of squares.
// All three branches stay.
//
// Source: NERSC 2020, its third patch.
#pragma once

#include "gpp/term.h"

namespace gpp {

/// sch and ssx of one term, with the arguments and branches of divide.h.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> without_division_or_root(BasicComplex<Real> wtilde,
                                                           BasicComplex<Real> I_eps, Real wx,
                                                           const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wtilde2 = wtilde * wtilde;
  const BasicComplex<Real> Omega2 = wtilde2 * I_eps;
  const BasicComplex<Real> wdiff = wx - wtilde;
  const Real wdiffr = norm(wdiff);
  const BasicComplex<Real> delw = (Real(1) / wdiffr) * (wtilde * conj(wdiff));
  const Real delwr = norm(delw);

  Term<Real> term;
  if (wdiffr > limits.limittwo && delwr < limits.limitone) {
    const BasicComplex<Real> cden = wx * wx - wtilde2;
    term.sch = delw * I_eps;
    term.ssx = (Real(1) / norm(cden)) * (Omega2 * conj(cden));
  } else if (delwr > Real(TOL_Zero)) {
    const BasicComplex<Real> cden = Real(4) * wtilde2 * (delw + Real(0.5));
    term.sch = {Real(0), Real(0)};
    term.ssx = -((Real(1) / norm(cden)) * ((Omega2 * delw) * conj(cden)));
  } else {
    term.sch = {Real(0), Real(0)};
    term.ssx = {Real(0), Real(0)};
  }

  const Real ssxcutoff = limits.sexcut * limits.sexcut * norm(I_eps);
  if (!(norm(term.ssx) <= ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
