// The loops of the tutorial (NERSC 2020) from its patch 2 on: one launch per frequency, in which a
// thread keeps its (ig, igp) and loops over bands.
#pragma once

#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

namespace detail::tutorial {

template <auto form, int threads>
__global__ void __launch_bounds__(threads) kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const double vcoul = problem.vcoul_loc(igp);
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        const Term term = form(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
        sums.asx -= vcoul * occ * term.ssx * m;
        sums.ach += vcoul * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace detail::tutorial

/// `form(wtilde, I_eps, wx, limits)` gives a term; so many threads are in a block.
template <auto form, int threads>
Sums sum_pairs_per_frequency(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  return sum_each_frequency(detail::tutorial::kernel<form, threads>, {grid, threads}, problem);
}

}  // namespace gpp::cuda
