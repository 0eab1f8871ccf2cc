// An experiment, not a step: one tile of bands loads while the other one is summed.
//
// The shared memory of 32 bands becomes two tiles of 16. Asynchronous copies run while the block
// sums, and one barrier per tile is enough.
//
// Made from between_11d_several_igp.
// Operations: factored; m once.

#include <cuda_pipeline_primitives.h>

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

constexpr int n1_block = 16;  // per tile

// The number of igp per thread that fits into 128 registers; fewer for more sums.
template <int nfreq, bool occupied>
constexpr int igp_per_thread = (nfreq == 3 ? 2 : 4) / (occupied ? 2 : 1);

template <int nfreq, int igp_tile>
struct Tile {
  Complex aqsn[n1_block][ig_tile];
  Complex aqsm[n1_block][igp_tile];
  double wx[n1_block][nfreq];
};

template <class Element>
__device__ void copy(Element& to, const Element& from) {
  __pipeline_memcpy_async(&to, &from, sizeof(Element));
}

template <int nfreq, bool occupied>
__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(FactoredProblem problem, Array1<const int> bands, Sums* partial) {
  constexpr int depth = igp_per_thread<nfreq, occupied>;
  const Share<depth> share{problem};
  DevicePole pole[depth];
  DeviceSums sums[depth][nfreq] = {};
  for (int k = 0; k < depth; ++k)
    pole[k] = make_factored_pole(on_device(share.wtilde(k)), on_device(problem.limits));

  __shared__ Tile<nfreq, share.igp_tile> tiles[2];
  const int lane = threadIdx.x;
  const int row = threadIdx.y * depth;
  const int ig = share.ig();
  const int igp = min(share.block_igp + lane, problem.ngpown - 1);
  const auto load = [&](int first) {
    auto& tile = tiles[first / n1_block % 2];
#pragma unroll
    for (int i = threadIdx.y; i < n1_block; i += block_warps) {
      const int n1 = bands(min(first + i, bands.size - 1));
      copy(tile.aqsn[i][lane], problem.aqsntemp(ig, n1));
      if (lane < share.igp_tile) copy(tile.aqsm[i][lane], problem.aqsmtemp_local(igp, n1));
      if (lane < nfreq) copy(tile.wx[i][lane], problem.wx_array(lane, n1));
    }
    __pipeline_commit();
  };
  if (bands.size > 0) load(0);
  for (int first = 0; first < bands.size; first += n1_block) {
    const auto& tile = tiles[first / n1_block % 2];
    const int count = min(n1_block, bands.size - first);
    __pipeline_wait_prior(0);
    __syncthreads();  // this tile is loaded, and no thread reads the other one
    if (first + n1_block < bands.size) load(first + n1_block);
#pragma unroll 2
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < depth; ++k) {
        const DeviceComplex m =
            conj(on_device(tile.aqsm[i][row + k])) * on_device(tile.aqsn[i][lane]);
        for (int iw = 0; iw < nfreq; ++iw) {
          add_resonant(sums[k][iw], pole[k], m, DeviceDouble(tile.wx[i][iw]));
          if (occupied) add_antiresonant(sums[k][iw], pole[k], m, DeviceDouble(tile.wx[i][iw]));
        }
      }
    }
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

Sums tried_load_ahead(const FactoredProblem& problem) {
  return sum_by_class(problem, [](auto nfreq, auto occupied) {
    return ClassKernel{kernel<nfreq, occupied>, igp_per_thread<nfreq, occupied>};
  });
}
GPP_VARIANT(tried_load_ahead);

}  // namespace gpp::cuda
