// The data of a few bands in a team's memory, loaded by all of its threads together.
//
// A thread waits for memory once per tile of bands instead of at every load, because the compiler
// does not move loads before the work on earlier bands.
#pragma once

#include <omp.h>

#include <algorithm>

#include "gpp/problem.h"
#include "variants/omp/lanes.h"

namespace gpp::omp {

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

}  // namespace gpp::omp
