// The shares of the factored steps (v11, v12) on a GPU: a team takes a tile of G times G', and each
// thread one G, several G' and all frequencies.
//
// Bands come tile by tile through the team's memory, which is CUDA's shared memory. All threads
// load a tile together, so each waits for memory once per tile instead of at every load, because
// the compiler does not move loads before the work on earlier bands.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gpp/factored_problem.h"
#include "gpp/sums.h"
#include "variants/omp/lanes.h"
#include "variants/omp/registers.h"

namespace gpp::omp {

inline constexpr int most_teams = 1056;
inline constexpr int ig_tile = 32;    ///< G per team: one per lane of a warp
inline constexpr int team_warps = 8;  ///< warps per team, each with its own G'
inline constexpr int team_threads = team_warps * ig_tile;
inline constexpr int n1_tile = 48;  ///< bands loaded at a time

/// The number of igp per thread, limited by registers for its sums.
template <int nfreq>
inline constexpr int depth_for = nfreq < 3 ? 2 : 1;

/// Calls store(at, load(at)) for 0 <= at < count, divided among the threads of the team. A thread
/// starts all its loads before it waits for the first.
template <int count, class Load, class Store>
void share_out(Load load, Store store) {
  constexpr int batch = (count + team_threads - 1) / team_threads;
  const int threads = omp_get_num_threads();
  for (int first = omp_get_thread_num(); first < count; first += batch * threads) {
    decltype(load(0)) loaded[batch];
    for (int i = 0; i < batch; ++i) loaded[i] = load(std::min(first + i * threads, count - 1));
    for (int i = 0; i < batch; ++i)
      if (first + i * threads < count) store(first + i * threads, loaded[i]);
  }
}

/// The data of n1_tile bands for a team with its ig_tile G and igp_tile G'.
template <int nfreq>
struct BandTile {
  static constexpr int igp_tile = team_warps * depth_for<nfreq>;
  Complex aqsn[n1_tile][ig_tile];
  Complex aqsm[igp_tile][n1_tile];
  double wx[nfreq][n1_tile];

  /// Loads bands(first) and the following ones. All threads of the team must take part. Indices
  /// past the end use the last element.
  void fetch(const Problem& problem, const Array1<const int>& bands, int first, int first_ig,
             int first_igp) {
    const auto band = [&](int n1) { return bands(std::min(first + n1, bands.size - 1)); };
    share_out<n1_tile * ig_tile>(
        [&](int at) {
          const int ig = std::min(first_ig + at % ig_tile, problem.ncouls - 1);
          return problem.aqsntemp(ig, band(at / ig_tile));
        },
        [&](int at, Complex loaded) { aqsn[at / ig_tile][at % ig_tile] = loaded; });
    share_out<igp_tile * n1_tile>(
        [&](int at) {
          const int igp = std::min(first_igp + at / n1_tile, problem.ngpown - 1);
          return problem.aqsmtemp_local_t(band(at % n1_tile), igp);
        },
        [&](int at, Complex loaded) { aqsm[at / n1_tile][at % n1_tile] = loaded; });
    share_out<nfreq * n1_tile>(
        [&](int at) { return problem.wx_array_t(band(at % n1_tile), at / n1_tile); },
        [&](int at, double loaded) { wx[at / n1_tile][at % n1_tile] = loaded; });
  }

  /// m = conj(aqsm) aqsn of the tile's band n1, for its G `lane` and its G' `row`.
  ComplexLanes m(int n1, int lane, int row) const {
    return in_all_lanes(conj(aqsm[row][n1])) * in_all_lanes(aqsn[n1][lane]);
  }
};

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
