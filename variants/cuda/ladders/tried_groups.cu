// An experiment, not a step: bands in groups, with a barrier after each.
//
// The warps of a block stay within one group, so that its aqsn can stay in L1. v9 has no barriers
// in its loop over bands. v10 has groups of 32, and loads each into shared memory.
//
// Made from v9_cache_blocking.
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

template <int n1_block>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  const bool inside = ig < problem.ncouls && igp < problem.ngpown;
  const Complex wtilde = inside ? problem.wtilde_array(ig, igp) : Complex{};
  const Complex I_eps = inside ? problem.I_eps_array(ig, igp) : Complex{};
  const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
  Term<double> over_bands{};
  for (int first = 0; first < problem.nbands; first += n1_block) {
    const int last = inside ? min(first + n1_block, problem.nbands) : first;
    for (int n1 = first; n1 < last; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
      const double occ = problem.occ_array(n1);
      const Term term = sign_first(pole, problem.wx_array_t(n1, iw), problem.limits);
      over_bands.ssx += occ * term.ssx * m;
      over_bands.sch += term.sch * m;
    }
    __syncthreads();
  }
  if (inside) {
    sums.asx -= problem.vcoul_loc(igp) * over_bands.ssx;
    sums.ach += problem.vcoul_loc(igp) * 0.5 * over_bands.sch;
  }
  store_block_sum(sums, partial);
}

}  // namespace

template <int n1_block>
Sums tried_groups(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  return sum_each_frequency(kernel<n1_block>, {grid, block}, problem);
}

GPP_VARIANT(tried_groups<32>);
GPP_VARIANT(tried_groups<64>);

}  // namespace gpp::cuda
