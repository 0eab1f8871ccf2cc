// v13, moments: groups of empty bands become matrix products on the tensor cores.
//
// Empty bands lie below every pole. There the reciprocals of neighbouring bands are one short
// series (gpp/forms/moments.h), which needs only moments of the bands: sums that are independent of
// poles and equal for all frequencies. Each moment is a matrix product, aqsn times aqsm^H, and the
// tensor cores multiply FP64 at twice the rate of the FP64 pipe.
//
// The input says which bands form groups and how many moments they need (gpp/moments.h). v12 sums
// the bands too near to their poles, and the occupied bands.
//
// Operations: moments; m once.

#include "gpp/forms/moments.h"

#include <cuda_pipeline_primitives.h>

#include "gpp/variant.h"
#include "variants/cuda/support/band_classes.cuh"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/packed_bands.cuh"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/tensor_cores.cuh"

namespace gpp::cuda {
namespace {

// A block sums 32 G by 16 G'; each warp sums one tile of G by one of G'.
constexpr int threads = 32 * tiles_ig * tiles_igp;
constexpr int stages = 2;  ///< steps of bands in shared memory, one being loaded

/// Blocks per multiprocessor: as many as have registers for the moments.
template <int rank>
constexpr int blocks_of_moments = rank < 6 ? 3 : 2;

/// A block's data in shared memory, because moments fill the registers.
template <int nfreq>
struct Shared {
  struct Stage {
    PackedAqsn aqsn;
    PackedAqsm aqsm;
    MomentBand bands[moment_step];
  } stage[stages];
  /// One pair of G and G' per thread.
  struct Pair {
    double wtilde[threads];
    DeviceComplex sum[nfreq][threads];  ///< sums over the groups, without weights
  } pair[pairs];
};

/// A thread's place in the problem: its pairs are its elements of a 16 x 8 product.
struct Position {
  int lane = static_cast<int>(threadIdx.x) % 32;
  int tile_of_ig = static_cast<int>(threadIdx.x) / 32 % tiles_ig;
  int tile_of_igp = static_cast<int>(threadIdx.x) / 32 / tiles_ig;

  __device__ int ig(int pair) const {
    const int tile = static_cast<int>(blockIdx.y) * tiles_ig + tile_of_ig;
    return tile * tile_ig + lane / 4 + pair / 2 * 8;
  }
  __device__ int igp(int pair) const {
    const int tile = static_cast<int>(blockIdx.x) * tiles_igp + tile_of_igp;
    return tile * tile_igp + lane % 4 * 2 + pair % 2;
  }
  __device__ bool inside(const Problem& problem, int pair) const {
    return ig(pair) < problem.ncouls && igp(pair) < problem.ngpown;
  }
};

/// Starts the copies that the block's threads do together.
template <class Operands>
__device__ void fetch(Operands& to, const void* from) {
  constexpr int chunks = sizeof(Operands) / 16;
#pragma unroll
  for (int first = 0; first < chunks; first += threads) {
    const int own = first + static_cast<int>(threadIdx.x);
    if (own < chunks)
      __pipeline_memcpy_async(reinterpret_cast<double2*>(&to) + own,
                              static_cast<const double2*>(from) + own, 16);
  }
}

/// Starts loading the operands of a step, if there is one.
template <int nfreq>
__device__ void fetch_step(const PackedBands::View& bands, int step, Shared<nfreq>& shared) {
  if (step < bands.steps) {
    auto& stage = shared.stage[step % stages];
    fetch(stage.aqsn, bands.aqsn + (static_cast<std::size_t>(blockIdx.y) * bands.steps + step));
    fetch(stage.aqsm, bands.aqsm + (static_cast<std::size_t>(blockIdx.x) * bands.steps + step));
    fetch(stage.bands, bands.bands + step * moment_step);
  }
  __pipeline_commit();
}

/// The three real products of each moment for a thread's pairs.
template <int rank>
struct Moments {
  double of[rank][parts][pairs] = {};

  /// Adds the bands of a step, with aqsm times t^k.
  __device__ void add(const PackedAqsn::Tile& aqsn, const PackedAqsm::Tile& aqsm,
                      const MomentBand* bands, int lane) {
    double t[4];
    for (int i = 0; i < 4; ++i) t[i] = bands[lane % 4 + 4 * i].t;
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      const FirstOperand a(aqsn.part[part], lane);
      SecondOperand b(aqsm.part[part], lane);
#pragma unroll
      for (int k = 0; k < rank; ++k) {
        multiply_add(of[k][part], a, b);
        for (int i = 0; i < 4; ++i) b.element[i] *= t[i];
      }
    }
  }

  __device__ MomentSeries<DeviceDouble, rank> series(int pair, double h) const {
    MomentSeries<DeviceDouble, rank> series;
    for (int k = 0; k < rank; ++k)
      series.M[k] = from_products<DeviceDouble>(of[k][0][pair], of[k][1][pair], of[k][2][pair]);
    series.economise(h);
    return series;
  }
};

/// Sums all groups for each pair of a thread, in shared memory.
template <int rank, int nfreq>
__device__ void sum_pairs(const MomentGroup* group, const PackedBands::View& bands,
                          const Position& at, Shared<nfreq>& shared) {
  for (int step = 0; step < stages - 1; ++step) fetch_step(bands, step, shared);
  for (int step = 0; step < bands.steps; ++group) {
    Moments<rank> moments;
    for (const int end = step + group->bands / moment_step; step < end; ++step) {
      __pipeline_wait_prior(stages - 2);
      __syncthreads();  // this step is loaded, and no thread reads the earlier one
      fetch_step(bands, step + stages - 1, shared);
      const auto& stage = shared.stage[step % stages];
      moments.add(stage.aqsn.tile[at.tile_of_ig], stage.aqsm.tile[at.tile_of_igp], stage.bands,
                  at.lane);
    }
#pragma unroll
    for (int pair = 0; pair < pairs; ++pair) {
      auto& own = shared.pair[pair];
      const auto series = moments.series(pair, group->half_width);
      for (int iw = 0; iw < nfreq; ++iw)
        series.add_to(own.sum[iw][threadIdx.x], own.wtilde[threadIdx.x], group->centre[iw]);
    }
  }
}

template <int nfreq>
struct Ach {
  Complex at[nfreq];
};

template <int rank, int nfreq>
__global__ void __launch_bounds__(threads, blocks_of_moments<rank>)
    moments_kernel(Problem problem, const MomentGroup* groups, PackedBands::View bands,
                   Ach<nfreq>* partial) {
  extern __shared__ double2 memory[];
  auto& shared = *reinterpret_cast<Shared<nfreq>*>(memory);
  const Position at;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool inside = at.inside(problem, pair);
    shared.pair[pair].wtilde[threadIdx.x] =
        inside ? problem.wtilde_array(at.ig(pair), at.igp(pair)).re : 0.0;
    for (int iw = 0; iw < nfreq; ++iw) shared.pair[pair].sum[iw][threadIdx.x] = {};
  }
  sum_pairs<rank>(groups, bands, at, shared);

  Ach<nfreq> ach{};
  for (int pair = 0; pair < pairs; ++pair) {
    if (!at.inside(problem, pair)) continue;
    const int ig = at.ig(pair), igp = at.igp(pair);
    for (int iw = 0; iw < nfreq; ++iw) {
      const Complex minus_P = off_device(shared.pair[pair].sum[iw][threadIdx.x]);
      ach.at[iw] +=
          0.5 * problem.vcoul_loc(igp) *
          moments_sch(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp), minus_P);
    }
  }
  store_block_sum(ach, partial);
}

/// Sums the groups in batches, so that packed operands take about a quarter of a
/// gigabyte.
template <int rank, int nfreq>
Sums sum_groups(const FactoredProblem& problem) {
  const dim3 grid = blocks_of_sum(problem);
  const std::vector<MomentGroup> groups = to_host(problem.moment_groups);
  Sums sums{};
  int first_band = 0;
  for (std::size_t first = 0, last = 0; first < groups.size(); first = last) {
    int bands = 0;
    while (last < groups.size() && bands * PackedBands::bytes_per_band(problem) < 0.25e9)
      bands += groups[last++].bands;
    const PackedBands packed(problem, problem.moment_bands.data + first_band, bands / moment_step);
    const BlockSums<Ach<nfreq>> partial(grid);
    launch(moments_kernel<rank, nfreq>, {grid, dim3(threads), sizeof(Shared<nfreq>)}, problem,
           problem.moment_groups.data + first, packed.view(), partial.data());
    const Ach<nfreq> ach = partial.total();
    for (int iw = 0; iw < nfreq; ++iw) sums.ach[iw] += ach.at[iw];
    first_band += bands;
  }
  return sums;
}

template <int rank>
Sums sum_groups(const FactoredProblem& problem) {
  switch (problem.nfreq) {
    case 1:
      return sum_groups<rank, 1>(problem);
    case 2:
      return sum_groups<rank, 2>(problem);
    default:
      return sum_groups<rank, 3>(problem);
  }
}

}  // namespace

Sums moments(const FactoredProblem& problem) {
  if (problem.moment_rank == 0 || !has_fp64_tensor_cores()) return real_poles(problem);
  FactoredProblem others = problem;
  others.empty_bands = problem.other_empty_bands;
  Sums sums = real_poles(others);
  switch (problem.moment_rank) {
    case 4:
      return sums += sum_groups<4>(problem);
    case 5:
      return sums += sum_groups<5>(problem);
    default:
      return sums += sum_groups<6>(problem);
  }
}
GPP_VARIANT(moments);

}  // namespace gpp::cuda
