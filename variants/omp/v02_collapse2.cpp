// v2, collapse2: n1 becomes each thread's own sequential loop.
//
// Fewer iterations, each with more work: what depends on (ig, igp) stays with its thread, and the
// reduction adds up one result per (ig, igp) instead of one per term. dist_schedule(static) goes:
// an iteration now holds all bands, so that a reduction after each chunk is rare.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums collapse2(const Problem& problem) {
  Complex asx_1{}, asx_2{}, asx_3{}, ach_1{}, ach_2{}, ach_3{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem) \
    reduction(+ : asx_1, asx_2, asx_3, ach_1, ach_2, ach_3)
  for (int igp = 0; igp < problem.ngpown; ++igp) {
    for (int ig = 0; ig < problem.ncouls; ++ig) {
      Complex own_asx_1{}, own_asx_2{}, own_asx_3{}, own_ach_1{}, own_ach_2{}, own_ach_3{};
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
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
      }
      asx_1 += own_asx_1;
      asx_2 += own_asx_2;
      asx_3 += own_asx_3;
      ach_1 += own_ach_1;
      ach_2 += own_ach_2;
      ach_3 += own_ach_3;
    }
  }
  return {{asx_1, asx_2, asx_3}, {ach_1, ach_2, ach_3}};
}

}  // namespace gpp::omp
