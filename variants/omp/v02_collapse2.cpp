// v2, collapse2: each thread has its own sequential loop over n1.
//
// Fewer iterations with more work each: data that depend on (ig, igp) are loaded once and stay in
// the thread, as do its sums, and the reduction adds one result per (ig, igp) instead of one per
// term. dist_schedule(static) is removed: an iteration now has all bands, so reductions after
// chunks are rare.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

template <int nfreq>
Sums collapse2_sums(const Problem& problem) {
  Complex asx[nfreq]{}, ach[nfreq]{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem) \
    reduction(+ : asx, ach)
  for (int igp = 0; igp < problem.ngpown; ++igp) {
    for (int ig = 0; ig < problem.ncouls; ++ig) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const double vcoul = problem.vcoul_loc(igp);
      SumsOf<nfreq> own{};
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < nfreq; ++iw) {
          const Term term = divide(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
          own.asx[iw] -= vcoul * occ * term.ssx * m;
          own.ach[iw] += vcoul * 0.5 * term.sch * m;
        }
      }
      for (int iw = 0; iw < nfreq; ++iw) {
        asx[iw] += own.asx[iw];
        ach[iw] += own.ach[iw];
      }
    }
  }
  Sums sums{};
  for (int iw = 0; iw < nfreq; ++iw) {
    sums.asx[iw] = asx[iw];
    sums.ach[iw] = ach[iw];
  }
  return sums;
}

Sums collapse2(const Problem& problem) {
  if (problem.nfreq == 1) return collapse2_sums<1>(problem);
  if (problem.nfreq == 2) return collapse2_sums<2>(problem);
  return collapse2_sums<3>(problem);
}
GPP_VARIANT(collapse2);

}  // namespace gpp::omp
