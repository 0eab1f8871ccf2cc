// Band data in shared memory, double-buffered: while one tile of bands is summed, the next loads.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "gpp/problem.h"

namespace gpp::cuda {

inline constexpr int ig_tile = 32;  ///< G of a block: one per lane
inline constexpr int n1_tile = 16;  ///< bands of a tile
inline constexpr int block_warps = 8;

/// What a block of 32 x 8 threads needs of one tile of bands.
template <int nfreq, int igp_tile>
struct BandTile {
  Complex aqsn[n1_tile][ig_tile];
  Complex aqsm[n1_tile][igp_tile];
  double wx[n1_tile][nfreq];
};

/// Walks a block through a list of bands, tile by tile.
template <int nfreq, int igp_tile>
class BandTiles {
 public:
  using Tile = BandTile<nfreq, igp_tile>;

  /// `buffers`: two tiles in shared memory. The block's ig begin at first_ig, its igp at first_igp;
  /// what lies beyond the problem is filled with its last column.
  __device__ BandTiles(const Problem& problem, Array1<const int> bands, Tile* buffers, int first_ig,
                       int first_igp)
      : problem_(problem),
        bands_(bands),
        buffers_(buffers),
        ig_(min(first_ig + static_cast<int>(threadIdx.x), problem.ncouls - 1)),
        igp_(min(first_igp + static_cast<int>(threadIdx.x), problem.ngpown - 1)) {}

  /// Calls body(tile, band) for every band in turn, `band` counted within the tile. The whole block
  /// must take part.
  template <class Body>
  __device__ void for_each_band(Body body) {
    if (bands_.size > 0) load(0, buffers_[0]);
    for (int first = 0; first < bands_.size; first += n1_tile) {
      const int number = first / n1_tile;
      __pipeline_wait_prior(0);
      __syncthreads();  // this tile has arrived, and nobody reads the other any more
      if (first + n1_tile < bands_.size) load(first + n1_tile, buffers_[(number + 1) % 2]);
      const Tile& tile = buffers_[number % 2];
      const int count = min(n1_tile, bands_.size - first);
#pragma unroll 2
      for (int band = 0; band < count; ++band) body(tile, band);
    }
  }

 private:
  /// Each warp fetches two bands of the tile that begins at `first`.
  __device__ void load(int first, Tile& tile) {
    const int lane = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int row = threadIdx.y; row < n1_tile; row += block_warps) {
      const int n1 = bands_(min(first + row, bands_.size - 1));
      copy(tile.aqsn[row][lane], problem_.aqsntemp(ig_, n1));
      if (lane < igp_tile) copy(tile.aqsm[row][lane], problem_.aqsmtemp_local(igp_, n1));
      if (lane < nfreq) copy(tile.wx[row][lane], problem_.wx_array(lane, n1));
    }
    __pipeline_commit();
  }

  template <class Element>
  __device__ static void copy(Element& to, const Element& from) {
    __pipeline_memcpy_async(&to, &from, sizeof(Element));
  }

  const Problem& problem_;
  Array1<const int> bands_;
  Tile* buffers_;
  int ig_;
  int igp_;
};

}  // namespace gpp::cuda
