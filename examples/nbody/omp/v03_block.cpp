// block: a tile of positions stays in L1 while a block of bodies uses it.
//
// All positions together would come from a farther cache again for each body.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {

constexpr int block_size = 128;  ///< bodies of a block, which share each tile
constexpr int tile_size = 512;   ///< bodies per tile: 8 KB, or 16 KB in double precision

template <class Real>
static void block_step(const Arrays<Real>& arrays) {
  const int n = arrays.n;
#pragma omp parallel for schedule(static)
  for (int block = 0; block < n; block += block_size) {
    const int width = std::min(block_size, n - block);
    Vector3<Real> force[block_size] = {};
    for (int tile = 0; tile < n; tile += tile_size) {
      const int count = std::min(tile_size, n - tile);
      for (int k = 0; k < width; ++k) {
        const Vector4<Real> own = arrays.positions[block + k];
        const Vector3<Real> sum = pull_of_all(arrays.positions + tile, count, own);
        force[k] = {force[k].x + sum.x, force[k].y + sum.y, force[k].z + sum.z};
      }
    }
    for (int k = 0; k < width; ++k) move(arrays, block + k, force[k]);
  }
}

void block(const Bodies& bodies) { block_step(bodies.in_double); }
GPP_VARIANT(block);

// block_float: block in single precision.
// Operations: 18 fp32 per pair; 64 bytes per body.
void block_float(const Bodies& bodies) { block_step(bodies.in_float); }
GPP_VARIANT(block_float);

}  // namespace gpp::nbody::omp
