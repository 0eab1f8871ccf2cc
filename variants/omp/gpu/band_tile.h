// The data of a few bands in a team's own memory, fetched by all its threads together.
//
// A thread then waits for memory once per tile of bands, where it would wait for every load: the
// compiler does not move loads ahead of the work of the bands before.
#pragma once

#include <omp.h>

#include <algorithm>

#include "gpp/problem.h"
#include "variants/omp/lanes.h"

namespace gpp::omp {

inline constexpr int ig_tile = 32;    ///< G of a team: one per lane of a warp
inline constexpr int team_warps = 8;  ///< each with G' of its own
inline constexpr int team_threads = team_warps * ig_tile;
inline constexpr int n1_tile = 48;  ///< bands fetched at a time

/// igp of a thread: as many as its sums leave registers for.
template <int nfreq>
inline constexpr int depth_for = nfreq < 3 ? 2 : 1;

/// Calls store(at, load(at)) for 0 <= at < count, shared among the threads of the team. A thread
/// asks for all its elements before it waits for the first.
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

/// n1_tile bands, as far as a team with its ig_tile G and igp_tile G' needs them.
template <int nfreq>
struct BandTile {
  static constexpr int igp_tile = team_warps * depth_for<nfreq>;
  Complex aqsn[n1_tile][ig_tile];
  Complex aqsm[igp_tile][n1_tile];
  double wx[nfreq][n1_tile];

  /// Fetches bands(first) and those that follow. All threads of the team must take part. Indices
  /// beyond the end are those of the last element.
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

  /// m = conj(aqsm) aqsn of band n1, counted in the tile, at its G `lane` and its G' `row`.
  ComplexLanes m(int n1, int lane, int row) const {
    return in_all_lanes(conj(aqsm[row][n1])) * in_all_lanes(aqsn[n1][lane]);
  }
};

}  // namespace gpp::omp
