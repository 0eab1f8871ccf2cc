// Patch 2 of the tutorial (NERSC 2020): one launch per frequency.
//
// The idea of v4, applied to v2: the blocks still have 128 threads.
//
// Made from v2_collapse2.
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;

__global__ void kernel(Problem problem, int iw, FrequencySums* partial) {
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
        const Term term = divide(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
        sums.asx -= vcoul * occ * term.ssx * m;
        sums.ach += vcoul * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums tutorial_2_iw_outside(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  return sum_each_frequency(kernel, {grid, threads}, problem);
}
GPP_VARIANT(tutorial_2_iw_outside);

}  // namespace gpp::cuda
