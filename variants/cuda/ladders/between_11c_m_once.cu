// The third of five ideas between v10 and v11: m once for all frequencies.
//
// v4 separated the frequencies because a thread had too many sums. Now only four per frequency
// remain, so a thread keeps those of all frequencies, and m and the loads of a band are shared. The
// number of frequencies is a constant of the kernel, so that sums are in registers.
//
// Made from between_11b_seed.
// Operations: factored; m once.

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

template <int nfreq, bool occupied>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(FactoredProblem problem, Array1<const int> bands, Sums* partial) {
  Sums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  const bool inside = ig < problem.ncouls && igp < problem.ngpown;
  const Complex wtilde = inside ? problem.wtilde_array(ig, igp) : Complex{};
  const FactoredPole pole = make_factored_pole(on_device(wtilde), on_device(problem.limits));
  __shared__ Complex aqsn[n1_block][ig_block];
  __shared__ Complex aqsm[n1_block][igp_block];
  __shared__ double wx[n1_block][nfreq];
  FactoredSums<DeviceDouble> over_bands[nfreq] = {};
  for (int first = 0; first < bands.size; first += n1_block) {
    const int count = min(n1_block, bands.size - first);
    for (int n1 = threadIdx.y; n1 < count; n1 += igp_block)
      aqsn[n1][threadIdx.x] = problem.aqsntemp(min(ig, problem.ncouls - 1), bands(first + n1));
    if (threadIdx.x < count) {
      const int n1 = bands(first + threadIdx.x);
      aqsm[threadIdx.x][threadIdx.y] = problem.aqsmtemp_local_t(n1, min(igp, problem.ngpown - 1));
      for (int iw = threadIdx.y; iw < nfreq; iw += igp_block)
        wx[threadIdx.x][iw] = problem.wx_array_t(n1, iw);
    }
    __syncthreads();
    for (int n1 = 0; n1 < count; ++n1) {
      const DeviceComplex m =
          conj(on_device(aqsm[n1][threadIdx.y])) * on_device(aqsn[n1][threadIdx.x]);
      for (int iw = 0; iw < nfreq; ++iw) {
        add_resonant(over_bands[iw], pole, m, DeviceDouble(wx[n1][iw]));
        if (occupied) add_antiresonant(over_bands[iw], pole, m, DeviceDouble(wx[n1][iw]));
      }
    }
    __syncthreads();
  }
  if (inside && !(occupied && is_tiny(wtilde, problem.limits))) {
    const DeviceComplex I_eps = on_device(problem.I_eps_array(ig, igp));
    for (int iw = 0; iw < nfreq; ++iw) {
      const Complex sch = off_device(factored_sch(on_device(wtilde), I_eps, over_bands[iw]));
      sums.ach[iw] += problem.vcoul_loc(igp) * 0.5 * sch;
      if (occupied) {
        const Complex ssx = off_device(factored_ssx(on_device(wtilde), I_eps, over_bands[iw]));
        sums.asx[iw] -= problem.vcoul_loc(igp) * ssx;
      }
    }
  }
  store_block_sum(sums, partial);
}

template <int nfreq, bool occupied>
Sums sum_bands(const FactoredProblem& problem, Array1<const int> bands) {
  if (bands.size == 0) return {};
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  BlockSums<Sums> partial(grid);
  launch(kernel<nfreq, occupied>, {grid, block}, problem, bands, partial.data());
  return partial.total();
}

template <int nfreq>
Sums sum_classes(const FactoredProblem& problem) {
  Sums sums = sum_term_by_term(problem);
  sums += sum_bands<nfreq, true>(problem, problem.occupied_bands);
  sums += sum_bands<nfreq, false>(problem, problem.empty_bands);
  return sums;
}

}  // namespace

Sums between_11c_m_once(const FactoredProblem& problem) {
  switch (problem.nfreq) {
    case 1:
      return sum_classes<1>(problem);
    case 2:
      return sum_classes<2>(problem);
    default:
      return sum_classes<3>(problem);
  }
}
GPP_VARIANT(between_11c_m_once);

}  // namespace gpp::cuda
