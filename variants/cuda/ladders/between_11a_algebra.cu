// The first of five ideas between v10 and v11: the factored form.
//
// All that depends only on (ig, igp) leaves the loop over bands, and so does the branch of ssx:
// only four sums of m over the bands remain (gpp/forms/factored.h). Empty bands need two of them,
// so each class of bands has its own kernel. The few terms that the sums cannot hold are summed one
// by one (term_by_term.cuh). Blocks, groups and launches are those of v10.
//
// Made from v10_shared_memory.
// Operations: factored; m at every frequency.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/term_by_term.cuh"

namespace gpp::cuda {
namespace {

constexpr int ig_block = 32;
constexpr int igp_block = 4;
constexpr int block_threads = ig_block * igp_block;
constexpr int n1_block = 32;
constexpr int resident_blocks = 6;

template <bool occupied>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(FactoredProblem problem, Array1<const int> bands, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  const bool inside = ig < problem.ncouls && igp < problem.ngpown;
  const Complex wtilde = inside ? problem.wtilde_array(ig, igp) : Complex{};
  const FactoredPole pole = make_factored_pole(wtilde, problem.limits);
  __shared__ Complex aqsn[n1_block][ig_block];
  __shared__ Complex aqsm[n1_block][igp_block];
  __shared__ double wx[n1_block];
  FactoredSums<double> over_bands{};
  for (int first = 0; first < bands.size; first += n1_block) {
    const int count = min(n1_block, bands.size - first);
    for (int n1 = threadIdx.y; n1 < count; n1 += igp_block)
      aqsn[n1][threadIdx.x] = problem.aqsntemp(min(ig, problem.ncouls - 1), bands(first + n1));
    if (threadIdx.x < count) {
      const int n1 = bands(first + threadIdx.x);
      aqsm[threadIdx.x][threadIdx.y] = problem.aqsmtemp_local_t(n1, min(igp, problem.ngpown - 1));
      if (threadIdx.y == 0) wx[threadIdx.x] = problem.wx_array_t(n1, iw);
    }
    __syncthreads();
    for (int n1 = 0; n1 < count; ++n1) {
      const Complex m = conj(aqsm[n1][threadIdx.y]) * aqsn[n1][threadIdx.x];
      add_resonant(over_bands, pole, m, wx[n1]);
      if (occupied) add_antiresonant(over_bands, pole, m, wx[n1]);
    }
    __syncthreads();
  }
  if (inside && !(occupied && is_tiny(wtilde, problem.limits))) {
    const Complex I_eps = problem.I_eps_array(ig, igp);
    const Complex sch = factored_sch(wtilde, I_eps, over_bands);
    sums.ach += problem.vcoul_loc(igp) * 0.5 * sch;
    if (occupied) {
      const Complex ssx = factored_ssx(wtilde, I_eps, over_bands);
      sums.asx -= problem.vcoul_loc(igp) * ssx;
    }
  }
  store_block_sum(sums, partial);
}

template <bool occupied>
void add_bands(const FactoredProblem& problem, Array1<const int> bands, Sums& sums) {
  if (bands.size == 0) return;
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  BlockSums<FrequencySums> partial(grid);
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    launch(kernel<occupied>, {grid, block}, problem, bands, iw, partial.data());
    const FrequencySums total = partial.total();
    sums.asx[iw] += total.asx;
    sums.ach[iw] += total.ach;
  }
}

}  // namespace

Sums between_11a_algebra(const FactoredProblem& problem) {
  Sums sums = sum_term_by_term(problem);
  add_bands<true>(problem, problem.occupied_bands, sums);
  add_bands<false>(problem, problem.empty_bands, sums);
  return sums;
}
GPP_VARIANT(between_11a_algebra);

}  // namespace gpp::cuda
