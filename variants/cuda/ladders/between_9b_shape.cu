// The second of three ideas between v8 and v9: the shape of a block.
//
// A block has 32 ig by 4 igp in place of 128 ig. The four igp can share each other's aqsn in L1,
// and blocks that run at the same time, neighbours in igp, read the same 32 rows of it.
//
// Made from between_9a_block_size.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int ig_block = 32;
constexpr int igp_block = 4;
constexpr int block_threads = ig_block * igp_block;
constexpr int resident_blocks = 6;

__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  if (ig < problem.ncouls && igp < problem.ngpown) {
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
  store_block_sum(sums, partial);
}

}  // namespace

Sums between_9b_shape(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  BlockSums<FrequencySums> partial(grid);
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    launch(kernel, {grid, block}, problem, iw, partial.data());
    const FrequencySums total = partial.total();
    sums.asx[iw] = total.asx;
    sums.ach[iw] = total.ach;
  }
  return sums;
}

}  // namespace gpp::cuda
