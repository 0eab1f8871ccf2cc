// v4, iw_outside: one launch per frequency.
//
// Only one pair of sums exists at a time instead of one per frequency. On a GPU a thread needs
// half the registers, so two teams fit on a multiprocessor. In return m is computed once per
// frequency.
//
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"
#include "variants/omp/registers.h"

namespace gpp::omp {

Sums iw_outside(const Problem& problem) {
  Sums sums{};
  int threads = 512;  // per team; two teams share a multiprocessor (registers.h)
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    thread_limit(threads) GPP_REGISTERS_FOR(1024) reduction(+ : asx, ach)
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Complex wtilde = problem.wtilde_array(ig, igp);
        const Complex I_eps = problem.I_eps_array(ig, igp);
        const double vcoul = problem.vcoul_loc(igp);
        for (int n1 = 0; n1 < problem.nbands; ++n1) {
          const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
          const double occ = problem.occ_array(n1);
          const Term term = divide(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
          asx -= vcoul * occ * term.ssx * m;
          ach += vcoul * 0.5 * term.sch * m;
        }
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}
GPP_VARIANT(iw_outside);

}  // namespace gpp::omp
