// The second of three ideas between v8 and v9: another size of a team.
//
// thread_limit(768) replaces two teams of 512, so that each thread of a GPU has 80 registers
// instead of 64. On a host it is an upper limit that no processor reaches.
//
// Made from between_9a_shape.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums between_9b_block_size(const Problem& problem) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    thread_limit(768) dist_schedule(static) reduction(+ : asx, ach)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        for (int ig_in = 0; ig_in < ig_block; ++ig_in) {
          const int ig = ig_blk * ig_block + ig_in;
          if (ig >= problem.ncouls) continue;
          const Complex wtilde = problem.wtilde_array(ig, igp);
          const Complex I_eps = problem.I_eps_array(ig, igp);
          const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
          const double vcoul = problem.vcoul_loc(igp);
          for (int n1 = 0; n1 < problem.nbands; ++n1) {
            const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
            const double occ = problem.occ_array(n1);
            const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
            asx -= vcoul * occ * term.ssx * m;
            ach += vcoul * 0.5 * term.sch * m;
          }
        }
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}
GPP_VARIANT(between_9b_block_size);

}  // namespace gpp::omp
