// Patch 4 of the tutorial (NERSC 2020): 512 threads per block.
//
// The idea of v3 as the last step. thread_limit is an upper limit for the threads of a team, so on
// a host, which has fewer, nothing changes.
//
// Made from tutorial_3_reciprocal.
// Operations: without_division_or_root; m at every frequency.

#include "gpp/forms/without_division_or_root.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums tutorial_4_block512(const Problem& problem) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    thread_limit(512) reduction(+ : asx, ach)
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
GPP_VARIANT(tutorial_4_block512);

}  // namespace gpp::omp
