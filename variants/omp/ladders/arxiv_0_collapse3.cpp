// gpp0 of Yang 2020, the start of its ladder: all three loops run in parallel.
//
// v1 with the loads and m inside the loop over frequencies, as in the public code.
//
// Made from v1_collapse3.
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

template <int nfreq>
Sums arxiv_0_sums(const Problem& problem) {
  Complex asx[nfreq]{}, ach[nfreq]{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem) \
    dist_schedule(static) reduction(+ : asx, ach)
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        for (int iw = 0; iw < nfreq; ++iw) {
          const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
          const double vcoul = problem.vcoul_loc(igp);
          const double occ = problem.occ_array(n1);
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

Sums arxiv_0_collapse3(const Problem& problem) {
  if (problem.nfreq == 1) return arxiv_0_sums<1>(problem);
  if (problem.nfreq == 2) return arxiv_0_sums<2>(problem);
  return arxiv_0_sums<3>(problem);
}
GPP_VARIANT(arxiv_0_collapse3);

}  // namespace gpp::omp
