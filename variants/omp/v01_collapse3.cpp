// v1, collapse3: every (n1, igp, ig) is one iteration of a single parallel loop.
//
// The definition as it stands, with all the parallelism there is: a GPU wants as many iterations as
// it can get. The loop over frequencies stays inside. Each frequency adds to sums of its own, which
// a branch on iw picks, because a GPU's registers cannot be indexed. These sums are the iteration's
// own, because a reduction's variables lie in memory: adding to them in the branch would be a store
// for every term. dist_schedule(static) gives each team one contiguous share of the iterations. By
// default a team takes one iteration per thread at a time and reduces after each chunk.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums collapse3(const Problem& problem) {
  Complex asx_1{}, asx_2{}, asx_3{}, ach_1{}, ach_2{}, ach_3{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem) \
    dist_schedule(static) reduction(+ : asx_1, asx_2, asx_3, ach_1, ach_2, ach_3)
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        Complex own_asx_1{}, own_asx_2{}, own_asx_3{}, own_ach_1{}, own_ach_2{}, own_ach_3{};
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double vcoul = problem.vcoul_loc(igp);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < problem.nfreq; ++iw) {
          const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                                   problem.wx_array(iw, n1), problem.limits);
          const Complex asx = vcoul * occ * term.ssx * m;
          const Complex ach = vcoul * 0.5 * term.sch * m;
          if (iw == 0) {
            own_asx_1 -= asx;
            own_ach_1 += ach;
          } else if (iw == 1) {
            own_asx_2 -= asx;
            own_ach_2 += ach;
          } else {
            own_asx_3 -= asx;
            own_ach_3 += ach;
          }
        }
        asx_1 += own_asx_1;
        asx_2 += own_asx_2;
        asx_3 += own_asx_3;
        ach_1 += own_ach_1;
        ach_2 += own_ach_2;
        ach_3 += own_ach_3;
      }
    }
  }
  return {{asx_1, asx_2, asx_3}, {ach_1, ach_2, ach_3}};
}

}  // namespace gpp::omp
