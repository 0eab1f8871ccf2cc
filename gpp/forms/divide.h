// The term as the definition writes it, with complex divisions and complex absolute values (steps
// v1 to v5).
//
// Source: BerkeleyGW (Deslippe et al. 2012) in the form of the mini-app gpp.f90 (NERSC 2020), whose
// lines Yang 2019 shows. docs/sources.md lists all sources.
#pragma once

#include "gpp/term.h"

namespace gpp {

/// sch and ssx of one term. `wtilde` and `wx` are in eV, `I_eps` has no unit.
///   branch 1, |wdiff|^2 > limittwo and |delw|^2 < limitone: away from the pole;
///   branch 2, else if |delw|^2 > TOL_Zero: close to the pole, where sch vanishes and ssx is the
///   limit that stays finite; otherwise both are 0.
template <class Real>
GPP_HOST_DEVICE inline Term<Real> divide(BasicComplex<Real> wtilde, BasicComplex<Real> I_eps,
                                         Real wx, const BasicLimits<Real>& limits) {
  const BasicComplex<Real> wtilde2 = wtilde * wtilde;
  const BasicComplex<Real> Omega2 = wtilde2 * I_eps;
  const BasicComplex<Real> wdiff = wx - wtilde;
  const BasicComplex<Real> delw = wtilde / wdiff;
  const Real delwr = norm(delw);
  const Real wdiffr = norm(wdiff);

  Term<Real> term;
  if (wdiffr > limits.limittwo && delwr < limits.limitone) {
    term.sch = delw * I_eps;
    term.ssx = Omega2 / (wx * wx - wtilde2);
  } else if (delwr > Real(TOL_Zero)) {
    term.sch = {Real(0), Real(0)};
    term.ssx = -(Omega2 * delw) / (Real(4) * wtilde2 * (delw + Real(0.5)));
  } else {
    term.sch = {Real(0), Real(0)};
    term.ssx = {Real(0), Real(0)};
  }

  // At wx = -wtilde ssx is no number, and <= is false for it: it is cut like a large one.
  const Real ssxcutoff = limits.sexcut * abs(I_eps);
  if (!(abs(term.ssx) <= ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};
  return term;
}

}  // namespace gpp
