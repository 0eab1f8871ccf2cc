// v2, collapse2: the bands become each thread's own loop.
//
// Two loops are parallelism enough. A thread keeps its (ig, igp) and walks through the bands, so
// wtilde and I_eps are loaded once and stay in registers, and so do the sums.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;

__global__ void kernel(Problem problem, Sums* partial) {
  Sums sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const double vcoul = problem.vcoul_loc(igp);
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < max_frequencies; ++iw) {
          if (iw < problem.nfreq) {
            const Term term = divide(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
            sums.asx[iw] -= vcoul * occ * term.ssx * m;
            sums.ach[iw] += vcoul * 0.5 * term.sch * m;
          }
        }
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums collapse2(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  BlockSums<Sums> partial(grid);
  launch(kernel, {grid, threads}, problem, partial.data());
  return partial.total();
}

}  // namespace gpp::cuda
