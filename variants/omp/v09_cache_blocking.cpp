// v9, cache_blocking: ig is processed in blocks of 32, so that band data stays in cache.
//
// Three ideas, one after the other: blocks of ig (ladders/between_9a_shape.cpp), the size of a team
// (ladders/between_9b_block_size.cpp), and here work that can wait. vcoul and 1/2 are the same for
// all bands and are applied after them; |ssx| is computed only for wx < 0. The published v9 blocks
// in a different way: a thread starts at its own ig and n1 and uses strides in both (Yang 2019):
// variants/cuda/ladders/sc19_9_strided.cu.
//
// Made from between_9b_block_size.
// Operations: sign_first, weights after the bands; m at every frequency.

#include "gpp/forms/sign_first.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums cache_blocking(const Problem& problem) {
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
          Term<double> over_bands{};
          for (int n1 = 0; n1 < problem.nbands; ++n1) {
            const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
            const double occ = problem.occ_array(n1);
            const Term term = sign_first(pole, problem.wx_array_t(n1, iw), problem.limits);
            over_bands.ssx += occ * term.ssx * m;
            over_bands.sch += term.sch * m;
          }
          asx -= problem.vcoul_loc(igp) * over_bands.ssx;
          ach += problem.vcoul_loc(igp) * 0.5 * over_bands.sch;
        }
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}
GPP_VARIANT(cache_blocking);

}  // namespace gpp::omp
