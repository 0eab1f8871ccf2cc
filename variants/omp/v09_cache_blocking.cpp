// v9, cache_blocking: the loops over ig and n1 are cut into blocks.
//
// Three ideas, one after the other: the size of a team (ladders/between_9a_block_size.cpp), blocks
// of ig (ladders/between_9b_shape.cpp), and here blocks of 128 bands: the part of aqsn(ig, n1) that
// all igp of a block use is 64 KB. The published v9 blocks otherwise: a thread starts at its own ig
// and n1 and strides through both (Yang 2019): variants/cuda/ladders/sc19_9_strided.cu.
//
// Made from between_9b_shape.
// Operations: power2; m at every frequency.

#include <algorithm>

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

Sums cache_blocking(const Problem& problem) {
  constexpr int ig_block = 32;
  constexpr int n1_block = 128;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  const int n1_blocks = (problem.nbands + n1_block - 1) / n1_block;
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(4) firstprivate(problem, iw) \
    thread_limit(768) dist_schedule(static) reduction(+ : asx, ach)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int n1_blk = 0; n1_blk < n1_blocks; ++n1_blk) {
        for (int igp = 0; igp < problem.ngpown; ++igp) {
          for (int ig_in = 0; ig_in < ig_block; ++ig_in) {
            const int ig = ig_blk * ig_block + ig_in;
            if (ig >= problem.ncouls) continue;
            const Complex wtilde = problem.wtilde_array(ig, igp);
            const Complex I_eps = problem.I_eps_array(ig, igp);
            const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
            Term<double> bands{};
            const int n1_first = n1_blk * n1_block;
            const int n1_end = std::min(n1_first + n1_block, problem.nbands);
            for (int n1 = n1_first; n1 < n1_end; ++n1) {
              const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
              const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
              bands.ssx += problem.occ_array(n1) * term.ssx * m;
              bands.sch += term.sch * m;
            }
            asx -= problem.vcoul_loc(igp) * bands.ssx;
            ach += problem.vcoul_loc(igp) * 0.5 * bands.sch;
          }
        }
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}

}  // namespace gpp::omp
