// The second of five ideas between v10 and v11: a reciprocal starts from the hardware's seed.
//
// One reciprocal per term remains. The compiler's version has a branch for denormal and infinite
// arguments, which energies never are; this one has no branch (device_double.cuh).
//
// Made from between_11a_algebra.
// Operations: factored; m at every frequency.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/cuda/support/device_double.cuh"
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
  const FactoredPole pole = make_factored_pole(on_device(wtilde), on_device(problem.limits));
  __shared__ Complex aqsn[n1_block][ig_block];
  __shared__ Complex aqsm[n1_block][igp_block];
  __shared__ double wx[n1_block];
  FactoredSums<DeviceDouble> over_bands{};
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
      const DeviceComplex m =
          conj(on_device(aqsm[n1][threadIdx.y])) * on_device(aqsn[n1][threadIdx.x]);
      add_resonant(over_bands, pole, m, DeviceDouble(wx[n1]));
      if (occupied) add_antiresonant(over_bands, pole, m, DeviceDouble(wx[n1]));
    }
    __syncthreads();
  }
  if (inside && !(occupied && is_tiny(wtilde, problem.limits))) {
    const DeviceComplex I_eps = on_device(problem.I_eps_array(ig, igp));
    const Complex sch = off_device(factored_sch(on_device(wtilde), I_eps, over_bands));
    sums.ach += problem.vcoul_loc(igp) * 0.5 * sch;
    if (occupied) {
      const Complex ssx = off_device(factored_ssx(on_device(wtilde), I_eps, over_bands));
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

Sums between_11b_seed(const FactoredProblem& problem) {
  Sums sums = sum_term_by_term(problem);
  add_bands<true>(problem, problem.occupied_bands, sums);
  add_bands<false>(problem, problem.empty_bands, sums);
  return sums;
}
GPP_VARIANT(between_11b_seed);

}  // namespace gpp::cuda
