// v11, factored: all that depends only on (ig, igp) leaves the loop over bands.
//
// Five ideas, one after the other, in ladders/: the algebra (between_11a_algebra.cu), a reciprocal
// from an estimate (11b), m once (11c), several igp (11d), and here: if all empty bands are clear
// of the poles of a block, its loop over them skips the test for the branch (is_clear_of).
//
// Made from between_11d_several_igp.
// Operations: factored; m once.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/cuda/support/band_classes.cuh"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/share.cuh"

namespace gpp::cuda {
namespace {

using DevicePole = FactoredPole<DeviceDouble>;
using DeviceSums = FactoredSums<DeviceDouble>;

constexpr int n1_block = 32;

// The number of igp per thread that fits into 128 registers; fewer for more sums.
template <int nfreq, bool occupied>
constexpr int igp_per_thread = (nfreq == 3 ? 2 : 4) / (occupied ? 2 : 1);

/// The result of a thread's sums over bands of that class.
template <int nfreq, bool occupied, int depth>
__device__ Sums of_bands(const Share<depth>& share, const DeviceSums (&sums)[depth][nfreq]) {
  Sums total{};
  for (int k = 0; k < depth; ++k) {
    if (!share.inside(k) || (occupied && is_tiny(share.wtilde(k), share.problem.limits))) continue;
    const DeviceComplex w = on_device(share.wtilde(k));
    const DeviceComplex I_eps = on_device(share.I_eps(k));
    for (int iw = 0; iw < nfreq; ++iw) {
      const Complex sch = off_device(factored_sch(w, I_eps, sums[k][iw]));
      total.ach[iw] += share.vcoul(k) * 0.5 * sch;
      if (!occupied) continue;
      const Complex ssx = off_device(factored_ssx(w, I_eps, sums[k][iw]));
      total.asx[iw] -= share.vcoul(k) * ssx;
    }
  }
  return total;
}

template <int nfreq, bool occupied>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(FactoredProblem problem, Array1<const int> bands, Sums* partial) {
  constexpr int depth = igp_per_thread<nfreq, occupied>;
  const Share<depth> share{problem};
  DevicePole pole[depth];
  DeviceSums sums[depth][nfreq] = {};
  bool clear = !occupied;
  for (int k = 0; k < depth; ++k) {
    pole[k] = make_factored_pole(on_device(share.wtilde(k)), on_device(problem.limits));
    clear = clear && is_clear_of(pole[k], DeviceDouble(problem.highest_empty_wx));
  }
  clear = __syncthreads_and(clear);

  constexpr int igp_tile = Share<depth>::igp_tile;
  __shared__ Complex aqsn[n1_block][ig_tile];
  __shared__ Complex aqsm[n1_block][igp_tile];
  __shared__ double wx[n1_block][nfreq];
  const int lane = threadIdx.x;
  const int row = threadIdx.y * depth;
  for (int first = 0; first < bands.size; first += n1_block) {
    const int count = min(n1_block, bands.size - first);
    for (int i = threadIdx.y; i < count; i += block_warps) {
      const int n1 = bands(first + i);
      aqsn[i][lane] = problem.aqsntemp(share.ig(), n1);
      if (lane < igp_tile)
        aqsm[i][lane] = problem.aqsmtemp_local(min(share.block_igp + lane, problem.ngpown - 1), n1);
      if (lane < nfreq) wx[i][lane] = problem.wx_array(lane, n1);
    }
    __syncthreads();
    if (clear) {
      for (int i = 0; i < count; ++i) {
        for (int k = 0; k < depth; ++k) {
          const DeviceComplex m = conj(on_device(aqsm[i][row + k])) * on_device(aqsn[i][lane]);
          for (int iw = 0; iw < nfreq; ++iw)
            add_clear(sums[k][iw], pole[k], m, DeviceDouble(wx[i][iw]));
        }
      }
    } else {
      for (int i = 0; i < count; ++i) {
        for (int k = 0; k < depth; ++k) {
          const DeviceComplex m = conj(on_device(aqsm[i][row + k])) * on_device(aqsn[i][lane]);
          for (int iw = 0; iw < nfreq; ++iw) {
            add_resonant(sums[k][iw], pole[k], m, DeviceDouble(wx[i][iw]));
            if (occupied) add_antiresonant(sums[k][iw], pole[k], m, DeviceDouble(wx[i][iw]));
          }
        }
      }
    }
    __syncthreads();
  }
  store_block_sum(of_bands<nfreq, occupied>(share, sums), partial);
}

}  // namespace

Sums factored(const FactoredProblem& problem) {
  return sum_by_class(problem, [](auto nfreq, auto occupied) {
    return ClassKernel{kernel<nfreq, occupied>, igp_per_thread<nfreq, occupied>};
  });
}
GPP_VARIANT(factored);

}  // namespace gpp::cuda
