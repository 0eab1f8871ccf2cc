// v1, collapse3: the sum exactly as it is defined, in nested loops on one core.
//
// It is not adapted to any machine. Every other variant computes the same.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp::serial {

Sums collapse3(const Problem& problem) {
  Sums sums{};
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double vcoul = problem.vcoul_loc(igp);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < problem.nfreq; ++iw) {
          const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                                   problem.wx_array(iw, n1), problem.limits);
          sums.asx[iw] -= vcoul * occ * term.ssx * m;
          sums.ach[iw] += vcoul * 0.5 * term.sch * m;
        }
      }
    }
  }
  return sums;
}
GPP_VARIANT(collapse3);

}  // namespace gpp::serial
