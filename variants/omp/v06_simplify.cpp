// v6, simplify: what does not depend on n1 leaves the loop over n1.
//
// The squares of wtilde, Omega2 and the cutoff are computed once per (ig, igp), vcoul is applied
// once, and the branch that only stores zeros goes (gpp/forms/simplified.h). What is kept for it
// needs more than 64 registers on a GPU, so one team fits a multiprocessor.
//
// Operations: simplified; m at every frequency.

#include "gpp/forms/simplified.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums simplify(const Problem& problem) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    thread_limit(512) reduction(+ : asx, ach)
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Complex wtilde = problem.wtilde_array(ig, igp);
        const Complex I_eps = problem.I_eps_array(ig, igp);
        const Pole pole = make_pole(wtilde, I_eps, problem.limits);
        Term<double> bands{};
        for (int n1 = 0; n1 < problem.nbands; ++n1) {
          const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
          const Term term = simplified(pole, problem.wx_array_t(n1, iw), problem.limits);
          bands.ssx += problem.occ_array(n1) * term.ssx * m;
          bands.sch += term.sch * m;
        }
        asx -= problem.vcoul_loc(igp) * bands.ssx;
        ach += problem.vcoul_loc(igp) * 0.5 * bands.sch;
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}

}  // namespace gpp::omp
