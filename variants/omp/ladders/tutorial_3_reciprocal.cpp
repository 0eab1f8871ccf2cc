// Patch 3 of the tutorial (NERSC 2020): neither complex divisions nor square roots.
//
// The ideas of v7 and v8 in one step, without v6: values that depend only on (ig, igp) are computed
// in every term, unless the compiler moves them.
//
// Made from tutorial_2_iw_outside.
// Operations: without_division_or_root; m at every frequency.

#include "gpp/forms/without_division_or_root.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums tutorial_3_reciprocal(const Problem& problem) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    reduction(+ : asx, ach)
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        for (int n1 = 0; n1 < problem.nbands; ++n1) {
          const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
          const double vcoul = problem.vcoul_loc(igp);
          const double occ = problem.occ_array(n1);
          const Term term =
              without_division_or_root(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                                       problem.wx_array(iw, n1), problem.limits);
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
GPP_VARIANT(tutorial_3_reciprocal);

}  // namespace gpp::omp
