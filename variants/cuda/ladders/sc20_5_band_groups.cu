// v5 of SC20 (Yang 2021): the loop over bands moves inside, and a kernel sums some 100 of them.
//
// A thread keeps its (ig, igp) and walks through bands, as in v2. With 100 bands to a kernel, what
// runs at the same time reads 100 columns of aqsn and no more.
//
// Made from sc20_4_both.
// Operations: power2, weights after the bands; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;
constexpr int n1_group = 100;

__global__ void kernel(Problem problem, int iw, int n1_first, FrequencySums* partial) {
  FrequencySums sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
      Term<double> over_bands{};
      for (int n1 = n1_first; n1 < min(n1_first + n1_group, problem.nbands); ++n1) {
        const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
        const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
        over_bands.ssx += problem.occ_array(n1) * term.ssx * m;
        over_bands.sch += term.sch * m;
      }
      sums.asx -= problem.vcoul_loc(igp) * over_bands.ssx;
      sums.ach += problem.vcoul_loc(igp) * 0.5 * over_bands.sch;
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums sc20_5_band_groups(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  const unsigned groups = blocks_for(problem.nbands, n1_group);
  // Every launch of a frequency has places of its own.
  BlockSums<FrequencySums> partial(dim3(grid.x, grid.y, groups));
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    for (unsigned group = 0; group < groups; ++group)
      launch(kernel, {grid, threads}, problem, iw, int(group) * n1_group,
             partial.data() + std::size_t(grid.x) * grid.y * group);
    const FrequencySums total = partial.total();
    sums.asx[iw] = total.asx;
    sums.ach[iw] = total.ach;
  }
  return sums;
}

}  // namespace gpp::cuda
