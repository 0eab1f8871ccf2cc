// Common code of all steps on a host: the force of a pair, and the move that follows.
#pragma once

#include <algorithm>
#include <cmath>

#include "examples/nbody/bodies.h"

namespace gpp::nbody::omp {

/// The factor from distance vector to force: 1 / distance^3, softened. Even for double, the
/// reciprocal root is in single precision.
template <class Real>
Real inverse_cube(Real dx, Real dy, Real dz) {
  const Real square = softening<Real> + dx * dx + dy * dy + dz * dz;
  const Real inverse = 1.0F / std::sqrt(static_cast<float>(square));
  return inverse * inverse * inverse;
}

/// Adds the forces of bodies from[0..count-1] on one body, in vector lanes.
template <class From, class Own>
auto pull_of_all(const From* from, int count, const Own& own) {
  using Real = decltype(own.x);
  Real x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
  for (int j = 0; j < count; ++j) {
    const Real dx = from[j].x - own.x, dy = from[j].y - own.y, dz = from[j].z - own.z;
    const Real cube = inverse_cube(dx, dy, dz);
    x += dx * cube;
    y += dy * cube;
    z += dz * cube;
  }
  return Vector3<Real>{x, y, z};
}

/// Writes the new state of body i after the step.
template <class Real>
void move(const Arrays<Real>& arrays, int i, const Vector3<Real>& force) {
  constexpr Real dt = time_step<Real>;
  const Vector4<Real> r = arrays.positions[i], v = arrays.velocities[i];
  const Vector4<Real> after{v.x + dt * force.x, v.y + dt * force.y, v.z + dt * force.z, 0};
  arrays.velocities_after[i] = after;
  arrays.positions_after[i] = {r.x + dt * after.x, r.y + dt * after.y, r.z + dt * after.z, 0};
}

}  // namespace gpp::nbody::omp
