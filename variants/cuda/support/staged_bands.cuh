// The loops of the first three ideas between v10 and v11: blocks and groups of bands as in v10, the
// factored form, and a kernel for each class of bands.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/forms/factored.h"
#include "gpp/sums.h"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/term_by_term.cuh"

namespace gpp::cuda {

namespace detail::staged {

inline constexpr int ig_block = 32;
inline constexpr int igp_block = 4;
inline constexpr int block_threads = ig_block * igp_block;
inline constexpr int n1_block = 32;
inline constexpr int resident_blocks = 6;

template <class Real>
__device__ BasicComplex<Real> in(Complex z) {
  return {z.re, z.im};
}
__device__ inline Complex off_device(Complex z) { return z; }
using cuda::off_device;

/// Sums `nfreq` frequencies from `first_iw` on.
template <class Real, int nfreq, bool occupied>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(FactoredProblem problem, Array1<const int> bands, int first_iw, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  const bool inside = ig < problem.ncouls && igp < problem.ngpown;
  const Complex wtilde = inside ? problem.wtilde_array(ig, igp) : Complex{};
  const Limits& limits = problem.limits;
  const FactoredPole pole = make_factored_pole(
      in<Real>(wtilde), BasicLimits<Real>{limits.limitone, limits.limittwo, limits.sexcut});
  __shared__ Complex aqsn[n1_block][ig_block];
  __shared__ Complex aqsm[n1_block][igp_block];
  __shared__ double wx[n1_block][nfreq];
  FactoredSums<Real> over_bands[nfreq] = {};
  for (int first = 0; first < bands.size; first += n1_block) {
    const int count = min(n1_block, bands.size - first);
    for (int n1 = threadIdx.y; n1 < count; n1 += igp_block)
      aqsn[n1][threadIdx.x] = problem.aqsntemp(min(ig, problem.ncouls - 1), bands(first + n1));
    if (threadIdx.x < count) {
      const int n1 = bands(first + threadIdx.x);
      aqsm[threadIdx.x][threadIdx.y] = problem.aqsmtemp_local_t(n1, min(igp, problem.ngpown - 1));
      if (threadIdx.y < nfreq)
        wx[threadIdx.x][threadIdx.y] = problem.wx_array_t(n1, first_iw + threadIdx.y);
    }
    __syncthreads();
    for (int n1 = 0; n1 < count; ++n1) {
      const BasicComplex<Real> m =
          conj(in<Real>(aqsm[n1][threadIdx.y])) * in<Real>(aqsn[n1][threadIdx.x]);
      for (int iw = 0; iw < nfreq; ++iw) {
        add_resonant(over_bands[iw], pole, m, Real(wx[n1][iw]));
        if (occupied) add_antiresonant(over_bands[iw], pole, m, Real(wx[n1][iw]));
      }
    }
    __syncthreads();
  }
  if (inside && !(occupied && is_tiny(wtilde, problem.limits))) {
    const BasicComplex<Real> w = in<Real>(wtilde), I_eps = in<Real>(problem.I_eps_array(ig, igp));
    for (int iw = 0; iw < nfreq; ++iw) {
      const Complex sch = off_device(factored_sch(w, I_eps, over_bands[iw]));
      sums.ach[iw] += problem.vcoul_loc(igp) * 0.5 * sch;
      if (!occupied) continue;
      const Complex ssx = off_device(factored_ssx(w, I_eps, over_bands[iw]));
      sums.asx[iw] -= problem.vcoul_loc(igp) * ssx;
    }
  }
  store_block_sum(sums, partial);
}

template <class Real, int nfreq, bool occupied>
Sums sum_class(const FactoredProblem& problem, Array1<const int> bands) {
  Sums sums{};
  if (bands.size == 0) return sums;
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  BlockSums<SumsOf<nfreq>> partial(grid);
  for (int first = 0; first < problem.nfreq; first += nfreq) {
    launch(kernel<Real, nfreq, occupied>, {grid, block}, problem, bands, first, partial.data());
    const SumsOf<nfreq> total = partial.total();
    std::copy_n(total.asx, nfreq, sums.asx + first);
    std::copy_n(total.ach, nfreq, sums.ach + first);
  }
  return sums;
}

}  // namespace detail::staged

/// The arithmetic is that of `Real`, and a launch sums `nfreq` frequencies.
template <class Real, int nfreq>
Sums sum_staged_bands(const FactoredProblem& problem) {
  Sums sums = sum_term_by_term(problem);
  sums += detail::staged::sum_class<Real, nfreq, true>(problem, problem.occupied_bands);
  sums += detail::staged::sum_class<Real, nfreq, false>(problem, problem.empty_bands);
  return sums;
}

}  // namespace gpp::cuda
