// gpp1 of Yang 2020: the baseline without a complex division.
//
// a / b = a conj(b) / |b|^2: one real reciprocal and a complex product. v7's idea, as the first
// step instead of the sixth: the loops are still v1's, and nothing is hoisted from them.
//
// Made from v1_collapse3.
// Operations: without_division; m once.

#include "gpp/forms/without_division.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;
constexpr int enough_blocks = 1 << 17;

__global__ void kernel(Problem problem, Sums* partial) {
  Sums sums{};
  for (int n1 = blockIdx.z; n1 < problem.nbands; n1 += gridDim.z) {
    for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
      const int ig = blockIdx.x * blockDim.x + threadIdx.x;
      if (ig < problem.ncouls) {
        const Complex wtilde = problem.wtilde_array(ig, igp);
        const Complex I_eps = problem.I_eps_array(ig, igp);
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double vcoul = problem.vcoul_loc(igp);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < max_frequencies; ++iw) {
          if (iw < problem.nfreq) {
            const Term term =
                without_division(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
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

Sums arxiv_1_reciprocal(const Problem& problem) {
  const unsigned x = blocks_for(problem.ncouls, threads);
  const unsigned z = std::min(problem.nbands, max_grid_z);
  const unsigned y = std::clamp(enough_blocks / (x * z), 1u, unsigned(problem.ngpown));
  const dim3 grid(x, y, z);
  BlockSums<Sums> partial(grid);
  launch(kernel, {grid, threads}, problem, partial.data());
  return partial.total();
}

}  // namespace gpp::cuda
