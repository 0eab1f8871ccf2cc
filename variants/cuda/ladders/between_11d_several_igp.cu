// The fourth of five ideas between v10 and v11: a thread takes several igp.
//
// A thread's loads of a band for its ig serve all its igp (share.cuh), and the igp are independent
// work. That needs registers: a block has eight warps of 32 ig, and the kernel requests two blocks
// per multiprocessor instead of six, so that a thread has 128 registers. band_classes.cuh, shared
// with v12, now makes kernels from classes and frequencies.
//
// Made from between_11c_m_once.
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

template <int nfreq, bool occupied>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(FactoredProblem problem, Array1<const int> bands, Sums* partial) {
  constexpr int depth = igp_per_thread<nfreq, occupied>;
  const Share<depth> share{problem};
  DevicePole pole[depth];
  DeviceSums sums[depth][nfreq] = {};
  for (int k = 0; k < depth; ++k)
    pole[k] = make_factored_pole(on_device(share.wtilde(k)), on_device(problem.limits));

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
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < depth; ++k) {
        const DeviceComplex m = conj(on_device(aqsm[i][row + k])) * on_device(aqsn[i][lane]);
        for (int iw = 0; iw < nfreq; ++iw) {
          add_resonant(sums[k][iw], pole[k], m, DeviceDouble(wx[i][iw]));
          if (occupied) add_antiresonant(sums[k][iw], pole[k], m, DeviceDouble(wx[i][iw]));
        }
      }
    }
    __syncthreads();
  }
  Sums total{};
  for (int k = 0; k < depth; ++k) {
    if (!share.inside(k) || (occupied && is_tiny(share.wtilde(k), problem.limits))) continue;
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
  store_block_sum(total, partial);
}

}  // namespace

Sums between_11d_several_igp(const FactoredProblem& problem) {
  return sum_by_class(problem, [](auto nfreq, auto occupied) {
    return ClassKernel{kernel<nfreq, occupied>, igp_per_thread<nfreq, occupied>};
  });
}
GPP_VARIANT(between_11d_several_igp);

}  // namespace gpp::cuda
