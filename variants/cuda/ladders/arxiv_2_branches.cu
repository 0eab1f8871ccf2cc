// gpp2 of Yang 2020: fewer branches.
//
// Results start at zero, so that the branch that only stores zeros goes. A part of v6's idea:
// nothing is hoisted here, and each term still makes its pole.
//
// Made from arxiv_1_reciprocal.
// Operations: reciprocal, pole at every term; m once.

#include "gpp/forms/reciprocal.h"
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
            const Pole pole = make_pole(wtilde, I_eps, problem.limits);
            const Term term = reciprocal(pole, problem.wx_array(iw, n1), problem.limits);
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

Sums arxiv_2_branches(const Problem& problem) {
  const unsigned x = blocks_for(problem.ncouls, threads);
  const unsigned z = std::min(problem.nbands, max_grid_z);
  const unsigned y = std::clamp(enough_blocks / (x * z), 1u, unsigned(problem.ngpown));
  const dim3 grid(x, y, z);
  BlockSums<Sums> partial(grid);
  launch(kernel, {grid, threads}, problem, partial.data());
  return partial.total();
}

}  // namespace gpp::cuda
