// v10, shared_memory: band data is staged through shared memory.
//
// Caches decide themselves what to keep; shared memory is controlled by the program. Bands come in
// groups of 32, which the threads of a block load together. Every element then serves all 32 ig or
// all four igp of the block with a short, fixed latency.
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
constexpr int n1_block = 32;
constexpr int resident_blocks = 6;

__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  const bool inside = ig < problem.ncouls && igp < problem.ngpown;
  const Complex wtilde = inside ? problem.wtilde_array(ig, igp) : Complex{};
  const Complex I_eps = inside ? problem.I_eps_array(ig, igp) : Complex{};
  const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
  __shared__ Complex aqsn[n1_block][ig_block];
  __shared__ Complex aqsm[n1_block][igp_block];
  __shared__ double wx[n1_block], occ[n1_block];
  Term<double> over_bands{};
  for (int first = 0; first < problem.nbands; first += n1_block) {
    const int count = min(n1_block, problem.nbands - first);
    for (int n1 = threadIdx.y; n1 < count; n1 += igp_block)
      aqsn[n1][threadIdx.x] = problem.aqsntemp(min(ig, problem.ncouls - 1), first + n1);
    if (threadIdx.x < count) {
      const int n1 = first + threadIdx.x;
      aqsm[threadIdx.x][threadIdx.y] = problem.aqsmtemp_local_t(n1, min(igp, problem.ngpown - 1));
      if (threadIdx.y == 0) {
        wx[threadIdx.x] = problem.wx_array_t(n1, iw);
        occ[threadIdx.x] = problem.occ_array(n1);
      }
    }
    __syncthreads();
    for (int n1 = 0; n1 < count; ++n1) {
      const Complex m = conj(aqsm[n1][threadIdx.y]) * aqsn[n1][threadIdx.x];
      const Term term = sign_first(pole, wx[n1], problem.limits);
      over_bands.ssx += occ[n1] * term.ssx * m;
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

Sums shared_memory(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  return sum_each_frequency(kernel, {grid, block}, problem);
}
GPP_VARIANT(shared_memory);

}  // namespace gpp::cuda
