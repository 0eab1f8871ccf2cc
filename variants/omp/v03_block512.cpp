// v3, block512: 512 threads per block.
//
// More threads in a block leave each of them fewer registers. thread_limit is an upper limit for
// the threads of a team, on a GPU and on a host.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums block512(const Problem& problem) {
  Complex asx_1{}, asx_2{}, asx_3{}, ach_1{}, ach_2{}, ach_3{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem) \
    thread_limit(512) \
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
