// v5, swap_indices: wx and aqsm are stored with the band as the fastest index.
//
// The loop runs over bands, so neighbouring iterations now read neighbouring addresses: one cache
// line has the numbers of several bands.
//
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 512;

__global__ void __launch_bounds__(threads, 2)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const double vcoul = problem.vcoul_loc(igp);
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
        const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        const Term term = divide(wtilde, I_eps, problem.wx_array_t(n1, iw), problem.limits);
        sums.asx -= vcoul * occ * term.ssx * m;
        sums.ach += vcoul * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums swap_indices(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  return sum_each_frequency(kernel, {grid, threads}, problem);
}
GPP_VARIANT(swap_indices);

}  // namespace gpp::cuda
