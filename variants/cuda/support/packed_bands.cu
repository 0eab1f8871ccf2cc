#include "variants/cuda/support/packed_bands.cuh"

namespace gpp::cuda {
namespace {

/// An element of a band's column; 0 outside of the problem.
__device__ Complex element(Array2<const Complex> matrix, int row, const MomentBand& band) {
  return row < matrix.rows && band.n1 >= 0 ? matrix(row, band.n1) : Complex{};
}

/// A block packs one step of the data for a block of the sum, one tile per warp.
template <class Packed>
__device__ typename Packed::Tile& own_tile(Packed* packed) {
  return packed[static_cast<std::size_t>(blockIdx.x) * gridDim.y + blockIdx.y].tile[threadIdx.y];
}

__global__ void pack_aqsn(Array2<const Complex> aqsntemp, const MomentBand* bands,
                          PackedAqsn* packed) {
  const auto lane = static_cast<int>(threadIdx.x);
  const int ig = static_cast<int>(blockIdx.x * tiles_ig + threadIdx.y) * tile_ig + lane / 4;
  const MomentBand* const own = bands + blockIdx.y * moment_step + lane % 4;
  PackedAqsn::Tile& to = own_tile(packed);
  for (int fourth = 0; fourth < 4; ++fourth) {
    const Complex low = element(aqsntemp, ig, own[4 * fourth]);
    const Complex high = element(aqsntemp, ig + 8, own[4 * fourth]);
    to.part[0][fourth][lane] = {low.re + low.im, high.re + high.im};
    to.part[1][fourth][lane] = {low.re, high.re};
    to.part[2][fourth][lane] = {low.im, high.im};
  }
}

__global__ void pack_aqsm(Array2<const Complex> aqsmtemp_local, const MomentBand* bands,
                          PackedAqsm* packed) {
  const auto lane = static_cast<int>(threadIdx.x);
  const int igp = static_cast<int>(blockIdx.x * tiles_igp + threadIdx.y) * tile_igp + lane / 4;
  const MomentBand* const own = bands + blockIdx.y * moment_step + lane % 4;
  PackedAqsm::Tile& to = own_tile(packed);
  for (int half = 0; half < 2; ++half) {
    const Complex first = conj(element(aqsmtemp_local, igp, own[8 * half]));
    const Complex second = conj(element(aqsmtemp_local, igp, own[8 * half + 4]));
    to.part[0][half][lane] = {first.re, second.re};
    to.part[1][half][lane] = {first.im - first.re, second.im - second.re};
    to.part[2][half][lane] = {first.re + first.im, second.re + second.im};
  }
}

}  // namespace

PackedBands::PackedBands(const Problem& problem, const MomentBand* bands, int steps)
    : bands_(bands),
      steps_(steps),
      aqsn_(static_cast<std::size_t>(blocks_of_sum(problem).y) * steps),
      aqsm_(static_cast<std::size_t>(blocks_of_sum(problem).x) * steps) {
  const auto grid_y = static_cast<unsigned>(steps);
  launch(pack_aqsn, {dim3(blocks_of_sum(problem).y, grid_y), dim3(32, tiles_ig)}, problem.aqsntemp,
         bands, aqsn_.data());
  launch(pack_aqsm, {dim3(blocks_of_sum(problem).x, grid_y), dim3(32, tiles_igp)},
         problem.aqsmtemp_local, bands, aqsm_.data());
}

double PackedBands::bytes_per_band(const Problem& problem) {
  return parts * sizeof(double) * (1.0 * problem.ncouls + problem.ngpown);
}

}  // namespace gpp::cuda
