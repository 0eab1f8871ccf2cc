// An experiment, not a step: one tile of bands loads while the other one is summed.
//
// The shared memory of 32 bands becomes two tiles of 16. Asynchronous copies run while the block
// sums, and one barrier per tile is enough (band_tiles.cuh).
//
// Made from between_11d_several_igp.
// Operations: factored; m once.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/cuda/support/band_classes.cuh"
#include "variants/cuda/support/band_tiles.cuh"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/share.cuh"

namespace gpp::cuda {
namespace {

using DevicePole = FactoredPole<DeviceDouble>;
using DeviceSums = FactoredSums<DeviceDouble>;

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

  __shared__ BandTile<nfreq, share.igp_tile> buffers[2];
  BandTiles<nfreq, depth> tiles(share, bands, buffers);
  tiles.for_each_m([&](int k, int iw, DeviceComplex m, DeviceDouble x) {
    add_resonant(sums[k][iw], pole[k], m, x);
    if (occupied) add_antiresonant(sums[k][iw], pole[k], m, x);
  });
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
