// v4, iw_outside: one launch per frequency.
//
// The loop over frequencies moves out of the kernel. A thread keeps one pair of sums instead of one
// per frequency, and igp as the grid's second dimension saves a long index. So 64 registers
// suffice, and two blocks of 512 threads fit on a multiprocessor, as the 2 in __launch_bounds__
// requests. In return every launch computes m again.
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

Sums iw_outside(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  return sum_each_frequency(kernel, {grid, threads}, problem);
}
GPP_VARIANT(iw_outside);

}  // namespace gpp::cuda
