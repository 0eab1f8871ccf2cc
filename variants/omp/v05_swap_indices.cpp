// v5, swap_indices: wx and aqsm come from copies with n1 as the fastest index.
//
// Before, the loop over n1 read both arrays with a stride; now it reads neighbours.
//
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"
#include "variants/omp/registers.h"

namespace gpp::omp {

Sums swap_indices(const Problem& problem) {
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
          const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
          const double occ = problem.occ_array(n1);
          const Term term = divide(wtilde, I_eps, problem.wx_array_t(n1, iw), problem.limits);
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
GPP_VARIANT(swap_indices);

}  // namespace gpp::omp
