// v1, collapse3: every (n1, igp, ig) is one iteration of a single parallel loop.
//
// The definition with the maximum parallelism, because a GPU needs many iterations. The loop over
// frequencies is inside, and each frequency has its own sums. dist_schedule(static) gives each team
// one contiguous share of the iterations. By default, a team takes one iteration per thread at a
// time and does a reduction after each such chunk.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

template <int nfreq>
Sums collapse3_sums(const Problem& problem) {
  Complex asx[nfreq]{}, ach[nfreq]{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem) \
    dist_schedule(static) reduction(+ : asx, ach)
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double vcoul = problem.vcoul_loc(igp);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < nfreq; ++iw) {
          const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                                   problem.wx_array(iw, n1), problem.limits);
          asx[iw] -= vcoul * occ * term.ssx * m;
          ach[iw] += vcoul * 0.5 * term.sch * m;
        }
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

Sums collapse3(const Problem& problem) {
  if (problem.nfreq == 1) return collapse3_sums<1>(problem);
  if (problem.nfreq == 2) return collapse3_sums<2>(problem);
  return collapse3_sums<3>(problem);
}
GPP_VARIANT(collapse3);

}  // namespace gpp::omp
