// Before v10's idea, the number that it needs: groups of 32 bands instead of 64.
//
// v10 copies each group to shared memory. With 32 bands there is one for each lane to fetch of
// aqsm, and six blocks fit a multiprocessor's shared memory as well. Here nothing is copied yet.
//
// Made from v9_cache_blocking.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int ig_block = 32;
constexpr int igp_block = 4;
constexpr int block_threads = ig_block * igp_block;
constexpr int n1_block = 32;
constexpr int resident_blocks = 6;

__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  const bool inside = ig < problem.ncouls && igp < problem.ngpown;
  const Pole pole = inside ? make_squared_pole(problem.wtilde_array(ig, igp),
                                               problem.I_eps_array(ig, igp), problem.limits)
                           : Pole<double>{};
  FrequencySums bands{};
  for (int first = 0; first < problem.nbands; first += n1_block) {
    const int last = min(first + n1_block, problem.nbands);
    for (int n1 = inside ? first : last; n1 < last; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
      const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
      bands.asx += problem.occ_array(n1) * term.ssx * m;
      bands.ach += term.sch * m;
    }
    __syncthreads();
  }
  if (inside) {
    sums.asx -= problem.vcoul_loc(igp) * bands.asx;
    sums.ach += problem.vcoul_loc(igp) * 0.5 * bands.ach;
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums between_10a_groups_of_32(const Problem& problem) {
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
