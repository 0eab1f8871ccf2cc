// The loops of SC20 (Yang 2021): each call has the loop over frequencies innermost. Data common to
// all frequencies are loaded once, and m is computed once.
#pragma once

#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

namespace detail {

inline constexpr int sc20_threads = 128;
inline constexpr int n1_group = 100;

/// Adds a band; `form(make_pole(wtilde, I_eps, limits), wx, limits)` gives a term.
template <auto make_pole, auto form, int nfreq>
__device__ void add_band(const Problem& problem, int ig, int igp, int n1, SumsOf<nfreq>& sums) {
  const Complex wtilde = problem.wtilde_array(ig, igp);
  const Complex I_eps = problem.I_eps_array(ig, igp);
  const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
  const double vcoul = problem.vcoul_loc(igp);
  const double occ = problem.occ_array(n1);
  for (int iw = 0; iw < nfreq; ++iw) {
    const Term term =
        form(make_pole(wtilde, I_eps, problem.limits), problem.wx_array_t(n1, iw), problem.limits);
    sums.asx[iw] -= vcoul * occ * term.ssx * m;
    sums.ach[iw] += vcoul * 0.5 * term.sch * m;
  }
}

namespace bands_outside {
template <auto make_pole, auto form, int nfreq>
__global__ void kernel(Problem problem, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  const long long triples = 1LL * problem.nbands * problem.ngpown * problem.ncouls;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < triples; i += stride)
    add_band<make_pole, form>(problem, i % problem.ncouls, i / problem.ncouls % problem.ngpown,
                              i / problem.ncouls / problem.ngpown, sums);
  store_block_sum(sums, partial);
}

}  // namespace bands_outside

namespace band_group {
template <int resident_blocks, auto make_pole, auto form, int nfreq>
__global__ void __launch_bounds__(sc20_threads, resident_blocks)
    kernel(Problem problem, int n1_first, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls)
      for (int n1 = n1_first; n1 < min(n1_first + n1_group, problem.nbands); ++n1)
        add_band<make_pole, form>(problem, ig, igp, n1, sums);
  }
  store_block_sum(sums, partial);
}

}  // namespace band_group

}  // namespace detail

/// The loop over bands is outside, with v1's launch.
template <auto make_pole, auto form>
Sums sum_bands_outside(const Problem& problem) {
  return for_frequencies_of(problem, [&]<int nfreq>() {
    return sum_strided(detail::bands_outside::kernel<make_pole, form, nfreq>, detail::sc20_threads,
                       problem, 1LL * problem.nbands * problem.ngpown * problem.ncouls);
  });
}

/// The loop over bands is inside, with one kernel per 100 bands.
template <int resident_blocks, auto make_pole, auto form>
Sums sum_band_groups(const Problem& problem) {
  return for_frequencies_of(problem, [&]<int nfreq>() {
    const dim3 grid(blocks_for(problem.ncouls, detail::sc20_threads),
                    std::min(problem.ngpown, max_grid_y));
    const unsigned groups = blocks_for(problem.nbands, detail::n1_group);
    // Each launch stores its sums in its own places.
    BlockSums<SumsOf<nfreq>> partial(dim3(grid.x, grid.y, groups));
    for (unsigned group = 0; group < groups; ++group)
      launch(detail::band_group::kernel<resident_blocks, make_pole, form, nfreq>,
             {grid, detail::sc20_threads}, problem, int(group) * detail::n1_group,
             partial.data() + std::size_t(grid.x) * grid.y * group);
    return partial.total();
  });
}

}  // namespace gpp::cuda
