// v9, cache_blocking: ig and n1 are walked in blocks, so that band data stays in cache.
//
// Three ideas, one after the other: small blocks (ladders/between_9a_block_size.cu), their shape
// (ladders/between_9b_shape.cu), and here groups of 64 bands with a barrier after each, so that the
// warps of a block stay together. The published v9 blocks otherwise: a thread starts at its own ig
// and n1 and strides through both by the block size (Yang 2019): ladders/sc19_9_strided.cu.
//
// Made from between_9b_shape.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int ig_block = 32;
constexpr int igp_block = 4;
constexpr int block_threads = ig_block * igp_block;
constexpr int n1_block = 64;
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

Sums cache_blocking(const Problem& problem) {
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
