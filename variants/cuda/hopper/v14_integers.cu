// v14, integers: the moments from products of bytes, which are exact.
//
// Hopper's tensor cores multiply bytes thirty times as fast as FP64. Matrix elements are cut into
// six digits of base 256. Products of digits are summed exactly in 32-bit integers, and few
// diagonals of digits give enough precision: six for the first moment, one for the sixth
// (gpp/forms/integers.h).
//
// A block sums 128 G by 8 G' for all bands. Two warp groups multiply and evaluate the series; the
// third one loads operands in advance. The input says which bands form groups. v13 sums the heavy
// G' (gpp/integers.h) and all inputs that are unsuited to integers.
//
// Operations: integers; m once.

#include "gpp/forms/integers.h"

#include <algorithm>
#include <vector>

#include "gpp/forms/moments.h"
#include "gpp/integers.h"
#include "gpp/moments.h"
#include "gpp/variant.h"
#include "variants/cuda/support/band_classes.cuh"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/packed_digits.cuh"
#include "variants/cuda/support/wgmma.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 3 * warp_group;
constexpr int sum_threads = 2 * warp_group;
constexpr int sum_warps = sum_threads / 32;
constexpr int pairs = 4;  ///< pairs of G and G' per thread

template <int nfreq>
struct Ach {
  Complex at[nfreq];
};

/// One step of moment_step bands for the whole block.
struct Operands {
  AqsnDigits aqsn[2];  ///< the operand of each warp group
  AqsmDigits aqsm;
};

/// A block's data in shared memory, because diagonals fill the registers.
template <int nfreq>
struct Shared {
  static constexpr int stages = nfreq == 3 ? 4 : 5;
  Operands stage[stages];
  struct Pair {
    double wtilde[sum_threads];
    DeviceComplex sum[nfreq][sum_threads];  ///< sums over the groups, unweighted
  } pair[pairs];
  DeviceComplex ach[nfreq][sum_threads];
  Barrier filled[stages], emptied[stages];
};

/// Cycles through the stages of shared memory.
template <int stages>
struct Ring {
  int stage = 0;
  unsigned phase = 0;
  __device__ void next() {
    if (++stage < stages) return;
    stage = 0;
    phase ^= 1;
  }
};

/// The part of the problem that a block sums at a time. Neighbours share G and G' in the L2 cache.
struct Tile {
  int ig, igp;  ///< tile indices, in units of block_ig and block_igp

  __device__ Tile(int number, int tiles_ig, int tiles_igp) {
    constexpr int rows = 12;
    const int first = number / (rows * tiles_igp) * rows;
    const int own_rows = min(rows, tiles_ig - first);
    const int place = number - first * tiles_igp;
    ig = first + place % own_rows;
    igp = place / own_rows;
  }
};

template <class Body>
__device__ void for_each_tile(const Problem& problem, Body body) {
  const int tiles_ig = (problem.ncouls + block_ig - 1) / block_ig;
  const int tiles_igp = (problem.ngpown + block_igp - 1) / block_igp;
  for (int number = blockIdx.x; number < tiles_ig * tiles_igp; number += gridDim.x)
    body(Tile(number, tiles_ig, tiles_igp));
}

/// One thread copies the operands for the other threads.
template <int nfreq>
__device__ void fetch(const Problem& problem, int steps, PackedDigits::View digits,
                      Shared<nfreq>& shared) {
  Ring<Shared<nfreq>::stages> ring;
  for_each_tile(problem, [&](Tile tile) {
    const std::size_t ig = 2 * static_cast<std::size_t>(tile.ig) * steps;
    const std::size_t igp = static_cast<std::size_t>(tile.igp) * steps;
    for (int step = 0; step < steps; ++step) {
      Operands& to = shared.stage[ring.stage];
      Barrier& filled = shared.filled[ring.stage];
      shared.emptied[ring.stage].wait(ring.phase ^ 1);
      filled.arrive_and_expect(sizeof(Operands));
      copy_in_bulk(to.aqsn[0], digits.aqsn + ig + step, filled);
      copy_in_bulk(to.aqsn[1], digits.aqsn + ig + steps + step, filled);
      copy_in_bulk(to.aqsm, digits.aqsm + igp + step, filled);
      ring.next();
    }
  });
}

/// A thread's place in its block's tile. Its pairs are its elements of an instruction's product:
/// two ig and two igp, each with a real and an imaginary part.
struct Position {
  int thread = static_cast<int>(threadIdx.x) % warp_group;
  int group = static_cast<int>(threadIdx.x) / warp_group;

  __device__ int row(int pair) const { return thread / 32 * 16 + thread % 32 / 4 + pair % 2 * 8; }
  __device__ int column(int pair) const { return thread % 4 + pair / 2 * 4; }
  __device__ int ig(Tile tile, int pair) const {
    return tile.ig * block_ig + group * rows_ig + row(pair);
  }
  __device__ int igp(Tile tile, int pair) const { return tile.igp * block_igp + column(pair); }
};

/// The diagonals of all moments for a thread's pairs: diagonal d of moment k is at
/// moments_before(d) + k, with eight numbers.
struct Diagonals {
  int sum[8 * all_diagonals];

  /// Adds the products of digit p of aqsn with all kept digits of aqsm.
  template <int p, int q = 0>
  __device__ void add(const FirstBytes& aqsn, const SecondBytes& aqsm, bool is_first_step) {
    if constexpr (p + q < most_digits) {
      constexpr int d = p + q;
      multiply_bytes<16 * moments_with(d)>(
          sum + 8 * moments_before(d), aqsn,
          aqsm.at(sizeof(AqsmDigits::column[0]) * moments_before(q)), p > 0 || !is_first_step);
      add<p, q + 1>(aqsn, aqsm, is_first_step);
    }
  }
  /// The joined moment k: one component for a pair.
  template <int k>
  __device__ DeviceDouble moment(int component) const {
    int diagonal[most_digits] = {};
#pragma unroll
    for (int d = 0; d < digits_of(k); ++d)
      diagonal[d] = sum[8 * (moments_before(d) + k) + component];
    return join_diagonals<k>(diagonal);
  }
};

/// Multiplies digit p of aqsn in one batch.
template <int p>
__device__ void add_digit(Diagonals& diagonals, FirstBytes& digit, const Operands& operands,
                          const Position& at, bool is_first_step) {
  wait_for_batches<2>();  // earlier batches no longer read `digit`
  digit = FirstBytes(shared_address(operands.aqsn[at.group].digit[p][at.thread]));
  begin_products();
  diagonals.add<p>(digit, SecondBytes(operands.aqsm.column), is_first_step);
  end_batch();
}

/// Multiplies the bands of a group. Returns the stage of the last step, which is still in use.
template <int nfreq>
__device__ int multiply(Diagonals& diagonals, int first, int end, const Position& at,
                        Ring<Shared<nfreq>::stages>& ring, Shared<nfreq>& shared) {
  FirstBytes digit[3];  // operands of the batches in progress
  int before = 0;
  for (int step = first; step < end; ++step) {
    const bool is_first = step == first;
    const Operands& operands = shared.stage[ring.stage];
    shared.filled[ring.stage].wait(ring.phase);
    // Long and short batches alternate.
    add_digit<0>(diagonals, digit[0], operands, at, is_first);
    add_digit<3>(diagonals, digit[1], operands, at, is_first);
    add_digit<1>(diagonals, digit[2], operands, at, is_first);
    if (!is_first) shared.emptied[before].arrive();  // the products of that stage are done
    add_digit<4>(diagonals, digit[0], operands, at, is_first);
    add_digit<2>(diagonals, digit[1], operands, at, is_first);
    add_digit<5>(diagonals, digit[2], operands, at, is_first);
    before = ring.stage;
    ring.next();
  }
  wait_for_batches<0>();
#pragma unroll
  for (int i = 0; i < 8 * all_diagonals; i += 8) settle(diagonals.sum + i);
  return before;
}

/// One term of the series for some pairs, all frequencies: sum = moment + s sum.
template <int k, int nfreq, int some>
__device__ void add_term(DeviceComplex (&sum)[some][nfreq], const Diagonals& diagonals, int pair,
                         const DeviceDouble (&s)[some][nfreq]) {
#pragma unroll
  for (int i = 0; i < some; ++i) {
    const DeviceComplex moment{diagonals.moment<k>(2 * (pair + i)),
                               diagonals.moment<k>(2 * (pair + i) + 1)};
#pragma unroll
    for (int iw = 0; iw < nfreq; ++iw)
      sum[i][iw] = k == integer_moments - 1 ? moment : moment + s[i][iw] * sum[i][iw];
  }
  if constexpr (k > 0) add_term<k - 1>(sum, diagonals, pair, s);
}

/// Adds a group's series to the sums of a thread's pairs, two at a time.
template <int nfreq>
__device__ void add_series(const Diagonals& diagonals, const DigitGroups::Group& group,
                           const Operands& operands, const Position& at, Shared<nfreq>& shared) {
  constexpr int some = 2;
#pragma unroll
  for (int pair = 0; pair < pairs; pair += some) {
    asm volatile("" ::: "memory");  // keeps loads of later pairs out of registers
    DeviceDouble s[some][nfreq], weight[some][nfreq];
#pragma unroll
    for (int i = 0; i < some; ++i) {
      const DeviceDouble scale = operands.aqsn[at.group].scale[at.row(pair + i)] *
                                 operands.aqsm.scale[at.column(pair + i)];
#pragma unroll
      for (int iw = 0; iw < nfreq; ++iw) {
        const PoleSeries<DeviceDouble> series(shared.pair[pair + i].wtilde[threadIdx.x],
                                              group.centre[iw], group.half_width);
        s[i][iw] = series.s;
        weight[i][iw] = series.weight * scale;
      }
    }
    DeviceComplex sum[some][nfreq];
    add_term<integer_moments - 1>(sum, diagonals, pair, s);
#pragma unroll
    for (int i = 0; i < some; ++i)
#pragma unroll
      for (int iw = 0; iw < nfreq; ++iw)
        shared.pair[pair + i].sum[iw][threadIdx.x] += weight[i][iw] * sum[i][iw];
  }
}

/// Sums the groups for a tile's pairs.
template <int nfreq>
__device__ void sum_pairs(const DigitGroups& groups, const Position& at,
                          Ring<Shared<nfreq>::stages>& ring, Shared<nfreq>& shared) {
  for (int g = 0; g < groups.count; ++g) {
    Diagonals diagonals;
    const int last = multiply(diagonals, groups.first(g), groups.group[g].end, at, ring, shared);
    add_series(diagonals, groups.group[g], shared.stage[last], at, shared);
    shared.emptied[last].arrive();
  }
}

/// Sums all tiles of a block, in one of its warp groups.
template <int nfreq>
__device__ void sum_tiles(const Problem& problem, const DigitGroups& groups,
                          Shared<nfreq>& shared) {
  const Position at;
  Ring<Shared<nfreq>::stages> ring;
  const int own = static_cast<int>(threadIdx.x);
  for (int iw = 0; iw < nfreq; ++iw) shared.ach[iw][own] = {0.0, 0.0};
  for_each_tile(problem, [&](Tile tile) {
    for (int pair = 0; pair < pairs; ++pair) {
      const int ig = at.ig(tile, pair), igp = at.igp(tile, pair);
      const bool inside = ig < problem.ncouls && igp < problem.ngpown;
      shared.pair[pair].wtilde[own] = inside ? problem.wtilde_array(ig, igp).re : 0.0;
      for (int iw = 0; iw < nfreq; ++iw) shared.pair[pair].sum[iw][own] = {0.0, 0.0};
    }
    sum_pairs(groups, at, ring, shared);
    for (int pair = 0; pair < pairs; ++pair) {
      const int ig = at.ig(tile, pair), igp = at.igp(tile, pair);
      if (ig >= problem.ncouls || igp >= problem.ngpown) continue;
      for (int iw = 0; iw < nfreq; ++iw)
        shared.ach[iw][own] +=
            DeviceDouble(0.5 * problem.vcoul_loc(igp)) *
            moments_sch(on_device(problem.wtilde_array(ig, igp)),
                        on_device(problem.I_eps_array(ig, igp)), shared.pair[pair].sum[iw][own]);
    }
  });
}

/// Stores a warp's sum at its own place.
template <int nfreq>
__device__ void store_warp_sum(const Shared<nfreq>& shared, Ach<nfreq>* partial) {
  const int own = static_cast<int>(threadIdx.x);
  Ach<nfreq> ach;
  for (int iw = 0; iw < nfreq; ++iw) {
    const Complex sum = off_device(shared.ach[iw][own]);
    ach.at[iw] = {detail::sum_warp(sum.re), detail::sum_warp(sum.im)};
  }
  if (own % 32 == 0) partial[blockIdx.x * sum_warps + own / 32] = ach;
}

template <int nfreq>
__global__ void __launch_bounds__(threads, 1)
    integers_kernel(__grid_constant__ const Problem problem,
                    __grid_constant__ const DigitGroups groups, PackedDigits::View digits,
                    Ach<nfreq>* partial) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<Shared<nfreq>*>(memory);
  if (threadIdx.x == 0) {
    for (Barrier& filled : shared.filled) filled.init(1);
    for (Barrier& emptied : shared.emptied) emptied.init(sum_threads);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= sum_threads) {
    give_registers_back<24>();
    if (threadIdx.x == sum_threads) fetch(problem, groups.steps(), digits, shared);
  } else {
    take_more_registers<240>();
    sum_tiles(problem, groups, shared);
    store_warp_sum(shared, partial);
  }
}

/// A copy of the problem with only a range of its G'. Its matrices keep their number of rows.
FactoredProblem part_of(const FactoredProblem& problem, int first, int ngpown) {
  FactoredProblem part = problem;
  part.ngpown = ngpown;
  part.wtilde_array.data += problem.wtilde_array.rows * static_cast<std::ptrdiff_t>(first);
  part.I_eps_array.data += problem.I_eps_array.rows * static_cast<std::ptrdiff_t>(first);
  part.vcoul_loc.data += first;
  part.aqsmtemp_local.data += first;
  return part;
}

/// The heavy G', with only the bands of the groups.
FactoredProblem heaviest_of(const FactoredProblem& problem) {
  FactoredProblem heaviest = part_of(problem, 0, heavy_igp);
  heaviest.moment_groups = problem.integer_groups;
  heaviest.moment_bands = problem.integer_bands;
  heaviest.moment_rank = highest_moment_rank;
  heaviest.occupied_bands = heaviest.exceptional_bands = heaviest.other_empty_bands = {};
  heaviest.tiny_poles = heaviest.resonant_poles = false;
  return heaviest;
}

/// The groups from `first` on for one launch: about 0.25 GB of digits.
DigitGroups some_groups(const std::vector<MomentGroup>& groups, std::size_t first,
                        const Problem& problem) {
  DigitGroups some{};
  int bands = 0;
  for (std::size_t g = first; g < groups.size() && some.count < DigitGroups::most &&
                              bands * PackedDigits::bytes_per_band(problem) < 0.25e9;
       ++g) {
    bands += groups[g].bands;
    DigitGroups::Group& to = some.group[some.count++];
    std::copy_n(groups[g].centre, max_frequencies, to.centre);
    to.half_width = groups[g].half_width;
    to.end = bands / moment_step;
  }
  return some;
}

/// The result of summing the groups.
struct GroupSums {
  Sums sums{};
  bool in_range = true;  ///< true if the rows' ranges are within the plan's estimate
};

template <int nfreq>
GroupSums sum_digits(const FactoredProblem& problem) {
  const std::vector<MomentGroup> groups = to_host(problem.integer_groups);
  GroupSums total;
  DigitGroups some{};
  const MomentBand* bands = problem.integer_bands.data;
  for (std::size_t first = 0; first < groups.size(); first += some.count) {
    some = some_groups(groups, first, problem);
    some.bands = bands;
    bands += some.steps() * moment_step;
    const PackedDigits packed(problem, some);
    const dim3 grid(multiprocessors());
    const BlockSums<Ach<nfreq>> partial(dim3(grid.x * sum_warps));
    launch(integers_kernel<nfreq>, {grid, threads, sizeof(Shared<nfreq>)},
           static_cast<const Problem&>(problem), some, packed.view(), partial.data());
    const Ach<nfreq> ach = partial.total();
    for (int iw = 0; iw < nfreq; ++iw) total.sums.ach[iw] += ach.at[iw];
    if (!(packed.ranges().product() <= 1.0)) return {{}, false};
  }
  return total;
}

GroupSums sum_digits_of(const FactoredProblem& problem) {
  switch (problem.nfreq) {
    case 1:
      return sum_digits<1>(problem);
    case 2:
      return sum_digits<2>(problem);
    default:
      return sum_digits<3>(problem);
  }
}

}  // namespace

Sums integers(const FactoredProblem& problem) {
  if (problem.integer_groups.size == 0 || !is_hopper()) return moments(problem);
  const GroupSums light = sum_digits_of(part_of(problem, heavy_igp, problem.ngpown - heavy_igp));
  if (!light.in_range) return moments(problem);
  FactoredProblem others = problem;
  others.empty_bands = problem.other_integer_bands;
  Sums sums = real_poles(others);
  sums += moments(heaviest_of(problem));
  return sums += light.sums;
}
GPP_VARIANT(integers);

}  // namespace gpp::cuda
