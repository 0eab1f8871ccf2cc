// v1, collapse3: all three loops run in parallel.
//
// The most parallelism there is: every (n1, igp, ig) is work of its own, spread over the grid, and
// a thread strides through what is left over. Each triple loads wtilde and I_eps anew for a single
// band. Arithmetic as the definition writes it.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
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
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double vcoul = problem.vcoul_loc(igp);
        const double occ = problem.occ_array(n1);
        for (int iw = 0; iw < max_frequencies; ++iw) {
          if (iw < problem.nfreq) {
            const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                                     problem.wx_array(iw, n1), problem.limits);
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

Sums collapse3(const Problem& problem) {
  const unsigned x = blocks_for(problem.ncouls, threads);
  const unsigned z = std::min(problem.nbands, max_grid_z);
  const unsigned y = std::clamp(enough_blocks / (x * z), 1u, unsigned(problem.ngpown));
  const dim3 grid(x, y, z);
  BlockSums<Sums> partial(grid);
  launch(kernel, {grid, threads}, problem, partial.data());
  return partial.total();
}

}  // namespace gpp::cuda
