// unroll: vector lanes hold different bodies, which stay in registers with their sums.
//
// One body of the tile meets a whole vector of bodies. Nothing is gathered from structures, and no
// lanes are added up at the end.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {
namespace {

constexpr int tile_size = 512;  ///< bodies per tile: 8 KB, or 16 KB in double precision

/// The number of bodies that meet another one together: four vectors of 64 bytes, so that one can
/// start while others wait for their roots.
template <class Real>
constexpr int lanes = 256 / static_cast<int>(sizeof(Real));

/// One vector for each coordinate of the bodies.
template <class Real>
struct Lanes {
  Real x[lanes<Real>] = {}, y[lanes<Real>] = {}, z[lanes<Real>] = {};
};

/// Adds the forces of a tile's bodies on each of the thread's bodies.
template <class Real>
void add_pulls(const Vector4<Real>* tile, int count, const Lanes<Real>& own, Lanes<Real>& force) {
  Lanes<Real> sum = force;
  for (int j = 0; j < count; ++j) {
#pragma omp simd
    for (int k = 0; k < lanes<Real>; ++k) {
      const Real dx = tile[j].x - own.x[k], dy = tile[j].y - own.y[k], dz = tile[j].z - own.z[k];
      const Real cube = inverse_cube(dx, dy, dz);
      sum.x[k] += dx * cube;
      sum.y[k] += dy * cube;
      sum.z[k] += dz * cube;
    }
  }
  force = sum;
}

template <class Real>
void unroll_step(const Arrays<Real>& arrays) {
  const int n = arrays.n;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < n; first += lanes<Real>) {
    const int width = std::min(lanes<Real>, n - first);
    Lanes<Real> own, force;
    for (int k = 0; k < width; ++k) {
      const Vector4<Real>& body = arrays.positions[first + k];
      own.x[k] = body.x;
      own.y[k] = body.y;
      own.z[k] = body.z;
    }
    for (int tile = 0; tile < n; tile += tile_size)
      add_pulls(arrays.positions + tile, std::min(tile_size, n - tile), own, force);
    for (int k = 0; k < width; ++k)
      move(arrays, first + k, Vector3<Real>{force.x[k], force.y[k], force.z[k]});
  }
}

}  // namespace

void unroll(const Bodies& bodies) { unroll_step(bodies.in_double); }
GPP_VARIANT(unroll);

// unroll_float: unroll in single precision.
// Operations: 18 fp32 per pair; 64 bytes per body.
void unroll_float(const Bodies& bodies) { unroll_step(bodies.in_float); }
GPP_VARIANT(unroll_float);

}  // namespace gpp::nbody::omp
