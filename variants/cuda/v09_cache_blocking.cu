// v9, cache_blocking: blocks of 32 ig by four igp, so that band data stays in cache.
//
// Three ideas, one after the other: the shape of a block (ladders/between_9a_shape.cu), its size
// (ladders/between_9b_block_size.cu), and here work that can wait. vcoul and 1/2 are the same for
// all bands and are applied after them; |ssx| is computed only for wx < 0. The published v9 blocks
// in a different way: a thread starts at its own ig and n1 and uses the block size as stride in
// both (Yang 2019): ladders/sc19_9_strided.cu.
//
// Made from between_9b_block_size.
// Operations: sign_first, weights after the bands; m at every frequency.

#include "gpp/forms/sign_first.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
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
    Term<double> over_bands{};
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
      const double occ = problem.occ_array(n1);
      const Term term = sign_first(pole, problem.wx_array_t(n1, iw), problem.limits);
      over_bands.ssx += occ * term.ssx * m;
      over_bands.sch += term.sch * m;
    }
    sums.asx -= problem.vcoul_loc(igp) * over_bands.ssx;
    sums.ach += problem.vcoul_loc(igp) * 0.5 * over_bands.sch;
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums cache_blocking(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  return sum_each_frequency(kernel, {grid, block}, problem);
}
GPP_VARIANT(cache_blocking);

}  // namespace gpp::cuda
