// The first of three ideas between v8 and v9: another size of a team.
//
// thread_limit(768) instead of 512, which leaves each thread of a GPU 80 registers. On a host it is
// an upper limit that no processor comes near.
//
// Made from v8_power2.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums between_9a_block_size(const Problem& problem) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    thread_limit(768) reduction(+ : asx, ach)
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Complex wtilde = problem.wtilde_array(ig, igp);
        const Complex I_eps = problem.I_eps_array(ig, igp);
        const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
        Term<double> bands{};
        for (int n1 = 0; n1 < problem.nbands; ++n1) {
          const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
          const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
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
