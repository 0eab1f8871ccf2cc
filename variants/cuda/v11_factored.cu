// v11, factored: what depends on (ig, igp) alone leaves the loop over bands.
//
// The two branches of a term become one expression, and over the bands only four sums of m are left
// (gpp/forms/factored.h): 12 FP64 instructions per term for an empty band, 22 for an occupied one.
// Each class of bands has a kernel of its own. A thread keeps several igp at once, so that what it
// loads of ig serves them all; where every empty band lies clear of the poles, the test for the
// branch leaves the loop, too.
//
// Operations: factored; m once.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/cuda/support/band_tiles.cuh"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/term_by_term.cuh"

namespace gpp::cuda {
namespace {

using DevicePole = FactoredPole<DeviceDouble>;
using DeviceSums = FactoredSums<DeviceDouble>;

// As many as 128 registers hold: fewer where there are more sums.
template <int nfreq, bool occupied>
constexpr int igp_per_thread = (nfreq == 3 ? 2 : 4) / (occupied ? 2 : 1);
template <int nfreq, bool occupied>
constexpr int igp_tile = block_warps* igp_per_thread<nfreq, occupied>;

template <int nfreq, bool occupied>
__global__ void __launch_bounds__(ig_tile* block_warps, 2)
    factored_kernel(FactoredProblem problem, Array1<const int> bands, Sums* partial) {
  constexpr int depth = igp_per_thread<nfreq, occupied>;
  __shared__ BandTile<nfreq, igp_tile<nfreq, occupied>> buffers[2];
  const int first_ig = blockIdx.y * ig_tile;
  const int first_igp = blockIdx.x * igp_tile<nfreq, occupied>;
  const int mine = threadIdx.y * depth;
  const int ig = first_ig + threadIdx.x;

  DevicePole pole[depth];
  DeviceSums sums[depth][nfreq] = {};
  bool clear = !occupied;
  const BasicLimits<DeviceDouble> limits = on_device(problem.limits);
  for (int k = 0; k < depth; ++k) {
    const Complex wtilde = problem.wtilde_array(min(ig, problem.ncouls - 1),
                                                min(first_igp + mine + k, problem.ngpown - 1));
    pole[k] = make_factored_pole(on_device(wtilde), limits);
    clear = clear && is_clear_of(pole[k], DeviceDouble(problem.highest_empty_wx));
  }

  BandTiles tiles(problem, bands, buffers, first_ig, first_igp);
  const auto add_m = [&](const auto& tile, int band, auto add) {
    const DeviceComplex aqsn = on_device(tile.aqsn[band][threadIdx.x]);
    for (int k = 0; k < depth; ++k) {
      const DeviceComplex m = conj(on_device(tile.aqsm[band][mine + k])) * aqsn;
      for (int iw = 0; iw < nfreq; ++iw)
        add(sums[k][iw], pole[k], m, DeviceDouble(tile.wx[band][iw]));
    }
  };
  if (__syncthreads_and(clear)) {
    tiles.for_each_band([&](const auto& tile, int band) {
      add_m(tile, band, [](auto& to, const auto& at, auto m, auto x) { add_clear(to, at, m, x); });
    });
  } else {
    tiles.for_each_band([&](const auto& tile, int band) {
      add_m(tile, band, [](auto& to, const auto& at, auto m, auto x) {
        add_resonant(to, at, m, x);
        if (occupied) add_antiresonant(to, at, m, x);
      });
    });
  }

  Sums total{};
  for (int k = 0; k < depth; ++k) {
    const int igp = first_igp + mine + k;
    if (ig >= problem.ncouls || igp >= problem.ngpown) continue;
    const Complex wtilde = problem.wtilde_array(ig, igp);
    if (occupied && is_tiny(wtilde, problem.limits)) continue;
    const DeviceComplex w = on_device(wtilde);
    const DeviceComplex I_eps = on_device(problem.I_eps_array(ig, igp));
    const double vcoul = problem.vcoul_loc(igp);
    for (int iw = 0; iw < nfreq; ++iw) {
      total.ach[iw] += vcoul * 0.5 * off_device(factored_sch(w, I_eps, sums[k][iw]));
      if (occupied) total.asx[iw] -= vcoul * off_device(factored_ssx(w, I_eps, sums[k][iw]));
    }
  }
  store_block_sum(total, partial);
}

template <int nfreq, bool occupied>
Sums sum_bands(const FactoredProblem& problem, Array1<const int> bands) {
  if (bands.size == 0) return {};
  const dim3 grid(blocks_for(problem.ngpown, igp_tile<nfreq, occupied>),
                  blocks_for(problem.ncouls, ig_tile));
  BlockSums<Sums> partial(grid);
  launch(factored_kernel<nfreq, occupied>, {grid, dim3(ig_tile, block_warps)}, problem, bands,
         partial.data());
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

Sums factored(const FactoredProblem& problem) {
  switch (problem.nfreq) {
    case 1:
      return sum_classes<1>(problem);
    case 2:
      return sum_classes<2>(problem);
    default:
      return sum_classes<3>(problem);
  }
}

}  // namespace gpp::cuda
