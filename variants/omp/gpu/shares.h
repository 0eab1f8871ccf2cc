// The shares of the factored steps (v11, v12) on a GPU: a team takes a tile of G times G', and each
// thread one G, several G' and all frequencies. Bands come tile by tile through the team's memory
// (band_tile.h), which is CUDA's shared memory.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gpp/factored_problem.h"
#include "gpp/sums.h"
#include "variants/omp/gpu/band_tile.h"
#include "variants/omp/lanes.h"
#include "variants/omp/registers.h"

namespace gpp::omp {

inline constexpr int most_teams = 1056;

/// Makes the compiler read x again. Otherwise it loads the problem's addresses once and keeps
/// them, so that up to 71 registers hold data that v12's loop over bands does not use. With x
/// hidden, it reads them again, and interleaves the arithmetic of several bands in the free
/// registers.
template <bool lean, class T>
const T& read_anew(const T& x) {
  const T* at = &x;
#if defined(__NVPTX__)
  if constexpr (lean) asm volatile("" : "+l"(at));
#endif
  return *at;
}

/// Keeps x, to which values are added after the loop, in memory.
template <bool lean, class T>
void keep_in_memory([[maybe_unused]] T& x) {
#if defined(__NVPTX__)
  if constexpr (lean) asm volatile("" : : "l"(&x) : "memory");
#endif
}

/// A team's memory: a tile of bands, and later its threads' sums.
template <int nfreq>
union TeamMemory {
  BandTile<nfreq> bands;
  Sums of_thread[team_threads];
};

/// One thread's share. Indices outside of the problem use its last column.
template <int nfreq_, bool lean>
struct Share {
  static constexpr int nfreq = nfreq_;
  static constexpr int depth = depth_for<nfreq>;

  const FactoredProblem& problem;
  BandTile<nfreq>& tile;
  int team_ig;   ///< first G of the team's tile
  int team_igp;  ///< first G' of the team's tile
  int place;     ///< index of the share in the team
  int lane = place % ig_tile;
  int row = std::min(place, team_threads - 1) / ig_tile * depth;
  int ig = std::min(team_ig + lane, problem.ncouls - 1);

  int igp(int k) const { return std::min(team_igp + row + k, problem.ngpown - 1); }
  ComplexLanes wtilde(int k) const {
    return load(read_anew<lean>(problem).wtilde_array, ig, igp(k));
  }
  ComplexLanes I_eps(int k) const { return load(read_anew<lean>(problem).I_eps_array, ig, igp(k)); }
  /// The weight, or 0 outside of the problem, which adds nothing.
  double vcoul(int k) const {
    const bool beyond = place >= team_threads || team_ig + lane >= problem.ncouls ||
                        team_igp + row + k >= problem.ngpown;
    return beyond ? 0 : read_anew<lean>(problem).vcoul_loc(igp(k));
  }

  /// Calls add(k, iw, m, x) for each band of the list, each igp of the share (k) and each
  /// frequency, where m = conj(aqsm(igp,n1)) aqsn(ig,n1) and x = wx(iw,n1). The whole team must
  /// take part.
  template <class Add>
  void for_each_m(const Array1<const int>& bands, Add add) const {
    for (int first = 0; first < bands.size; first += n1_tile) {
#pragma omp barrier  // the last tile is no longer read
      tile.fetch(read_anew<lean>(problem), bands, first, team_ig, team_igp);
#pragma omp barrier  // all threads have loaded this tile
      const int count = std::min(first + n1_tile, bands.size) - first;
#pragma clang loop unroll_count(3)  // unrolls as far as registers suffice
      for (int n1 = 0; n1 < count; ++n1) {
        for (int k = 0; k < depth; ++k) {
          const ComplexLanes m = tile.m(n1, lane, row + k);
          for (int iw = 0; iw < nfreq; ++iw) add(k, iw, m, Lanes(tile.wx[iw][n1]));
        }
      }
    }
  }
};

/// Adds up sum_share(share) over all shares with `nfreq` frequencies. clang has no reduction over a
/// parallel region inside a team's, so threads store their sums in the team's memory, and teams
/// store theirs in the host's.
template <int nfreq, bool lean, class SumShare>
Sums sum_shares_of(const FactoredProblem& problem, SumShare sum_share) {
  constexpr int igp_tile = BandTile<nfreq>::igp_tile;
  const int ig_tiles = (problem.ncouls + ig_tile - 1) / ig_tile;
  const int igp_tiles = (problem.ngpown + igp_tile - 1) / igp_tile;
  const int teams = std::min(most_teams, ig_tiles * igp_tiles);
  std::vector<Sums> sums_of_teams(static_cast<std::size_t>(teams));
  Sums* const of_team = sums_of_teams.data();
  int threads_per_team = team_threads;  // a constant would limit the registers

#pragma omp target teams num_teams(teams) thread_limit(threads_per_team) \
    GPP_REGISTERS_FOR(2 * team_threads) firstprivate(problem) map(of_team[:teams])
  {
    TeamMemory<nfreq> memory;
#if defined(__NVPTX__) || defined(__AMDGCN__)
#pragma omp allocate(memory) allocator(omp_pteam_mem_alloc)
#endif
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      const int threads = omp_get_num_threads();
      Sums sums{};
      keep_in_memory<lean>(sums);
      for (int at = omp_get_team_num(); at < ig_tiles * igp_tiles; at += omp_get_num_teams())
        for (int first = 0; first < team_threads; first += threads)
          [[clang::always_inline]] sums +=
              sum_share(Share<nfreq, lean>{problem, memory.bands, at / igp_tiles * ig_tile,
                                           at % igp_tiles * igp_tile, first + thread});

#pragma omp barrier  // bands are no longer read
      memory.of_thread[thread] = sums;
#pragma omp barrier  // all threads have stored their sums
      if (thread == 0)
        for (int i = 0; i < threads; ++i) of_team[omp_get_team_num()] += memory.of_thread[i];
    }
  }
  Sums total{};
  for (const Sums& sums : sums_of_teams) total += sums;
  return total;
}

/// Adds up sum_share(share) over all shares. `SumsOverBands`, a share's data per igp and frequency,
/// distinguishes v12, which read_anew makes faster, from v11, which it makes slower.
template <class SumsOverBands, class SumShare>
Sums sum_shares(const FactoredProblem& problem, SumShare sum_share) {
  constexpr bool lean = sizeof(SumsOverBands) <= 2 * sizeof(Complex);
  switch (problem.nfreq) {
    case 1:
      return sum_shares_of<1, lean>(problem, sum_share);
    case 2:
      return sum_shares_of<2, lean>(problem, sum_share);
    default:
      return sum_shares_of<3, lean>(problem, sum_share);
  }
}

}  // namespace gpp::omp
