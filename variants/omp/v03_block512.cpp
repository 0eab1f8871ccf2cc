// v3, block512: 512 threads per block.
//
// With more threads per block, each has fewer registers. thread_limit is an upper limit for the
// threads of a team, on a GPU and on a host.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

template <int nfreq>
Sums block512_sums(const Problem& problem) {
  Complex asx[nfreq]{}, ach[nfreq]{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem) \
    thread_limit(512) reduction(+ : asx, ach)
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

Sums block512(const Problem& problem) {
  if (problem.nfreq == 1) return block512_sums<1>(problem);
  if (problem.nfreq == 2) return block512_sums<2>(problem);
  return block512_sums<3>(problem);
}
GPP_VARIANT(block512);

}  // namespace gpp::omp
