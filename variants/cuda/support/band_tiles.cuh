// Band data in shared memory, double-buffered: one tile of bands loads while another is summed.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "gpp/problem.h"
#include "variants/cuda/support/device_double.cuh"
#include "variants/cuda/support/share.cuh"

namespace gpp::cuda {

inline constexpr int n1_tile = 16;  ///< bands per tile

/// The data of one tile of bands that a block needs.
template <int nfreq, int igp_tile>
struct BandTile {
  Complex aqsn[n1_tile][ig_tile];
  Complex aqsm[n1_tile][igp_tile];
  double wx[n1_tile][nfreq];
};

/// Takes a block through a list of bands, tile by tile.
template <int nfreq, int depth>
class BandTiles {
 public:
  using Tile = BandTile<nfreq, Share<depth>::igp_tile>;

  /// `buffers` are two tiles in shared memory. Indices outside of the problem use its last
  /// column.
  __device__ BandTiles(const Share<depth>& share, Array1<const int> bands, Tile* buffers)
      : problem_(share.problem),
        bands_(bands),
        buffers_(buffers),
        ig_(min(share.block_ig + static_cast<int>(threadIdx.x), problem_.ncouls - 1)),
        igp_(min(share.block_igp + static_cast<int>(threadIdx.x), problem_.ngpown - 1)) {}

  /// Calls add(k, iw, m, x) for every band, igp of the share (k) and frequency, where m =
  /// conj(aqsm(igp,n1)) aqsn(ig,n1) and x = wx(iw,n1). The whole block must take part.
  template <class Add>
  __device__ void for_each_m(Add add) {
    const int row = static_cast<int>(threadIdx.y) * depth;
    for_each_band([&](const Tile& tile, int band) {
      const DeviceComplex aqsn = on_device(tile.aqsn[band][threadIdx.x]);
      for (int k = 0; k < depth; ++k) {
        const DeviceComplex m = conj(on_device(tile.aqsm[band][row + k])) * aqsn;
        for (int iw = 0; iw < nfreq; ++iw) add(k, iw, m, DeviceDouble(tile.wx[band][iw]));
      }
    });
  }

 private:
  static constexpr int igp_tile = Share<depth>::igp_tile;

  /// Calls body(tile, band) for every band in turn, `band` counted within the tile.
  template <class Body>
  __device__ void for_each_band(Body body) {
    if (bands_.size > 0) load(0, buffers_[0]);
    for (int first = 0; first < bands_.size; first += n1_tile) {
      const int number = first / n1_tile;
      __pipeline_wait_prior(0);
      __syncthreads();  // this tile is loaded, and no thread reads the other one
      if (first + n1_tile < bands_.size) load(first + n1_tile, buffers_[(number + 1) % 2]);
      const Tile& tile = buffers_[number % 2];
      const int count = min(n1_tile, bands_.size - first);
#pragma unroll 2
      for (int band = 0; band < count; ++band) body(tile, band);
    }
  }

  /// Each warp loads two bands of the tile that begins at `first`.
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
