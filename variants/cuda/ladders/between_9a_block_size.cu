// The first of three ideas between v8 and v9: small blocks.
//
// A multiprocessor takes whole blocks. Blocks have 128 threads in place of 512, and six of them are
// asked for per multiprocessor. How much of its registers is left over with either size?
//
// Made from v8_power2.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;
constexpr int resident_blocks = 6;

__global__ void __launch_bounds__(threads, resident_blocks)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
      FrequencySums bands{};
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
        const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
        const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
        bands.asx += problem.occ_array(n1) * term.ssx * m;
        bands.ach += term.sch * m;
      }
      sums.asx -= problem.vcoul_loc(igp) * bands.asx;
      sums.ach += problem.vcoul_loc(igp) * 0.5 * bands.ach;
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums between_9a_block_size(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, max_grid_y));
  BlockSums<FrequencySums> partial(grid);
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    launch(kernel, {grid, threads}, problem, iw, partial.data());
    const FrequencySums total = partial.total();
    sums.asx[iw] = total.asx;
    sums.ach[iw] = total.ach;
  }
  return sums;
}

}  // namespace gpp::cuda
