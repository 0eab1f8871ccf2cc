// The step `block` in either precision.
#pragma once

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {

inline constexpr int block_size = 128;  ///< bodies of a block, which share each tile
inline constexpr int tile_size = 512;   ///< bodies per tile: 8 KB, or 16 KB in double precision

template <class Real>
void block_step(const Arrays<Real>& arrays) {
  const int n = arrays.n;
#pragma omp parallel for schedule(static)
  for (int block = 0; block < n; block += block_size) {
    const int width = std::min(block_size, n - block);
    Vector3<Real> force[block_size] = {};
    for (int tile = 0; tile < n; tile += tile_size) {
      const int count = std::min(tile_size, n - tile);
      for (int k = 0; k < width; ++k) {
        const Vector3<Real> own = position_of<Real>(arrays.positions[block + k]);
        const Vector3<Real> sum = pull_of_all(arrays.positions + tile, count, own);
        force[k] = {force[k].x + sum.x, force[k].y + sum.y, force[k].z + sum.z};
      }
    }
    for (int k = 0; k < width; ++k) move(arrays, block + k, force[k]);
  }
}

}  // namespace gpp::nbody::omp
