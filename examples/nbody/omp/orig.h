// The step `orig` in either precision.
#pragma once

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {

template <class Real>
void orig_step(const Arrays<Real>& arrays) {
  constexpr Real dt = time_step<Real>;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < arrays.n; ++i) {
    Body<Real> body = arrays.bodies[i];
    const Vector3<Real> force = pull_of_all(arrays.bodies, arrays.n, position_of<Real>(body));
    body.vx += dt * force.x;
    body.vy += dt * force.y;
    body.vz += dt * force.z;
    body.x += dt * body.vx;
    body.y += dt * body.vy;
    body.z += dt * body.vz;
    arrays.bodies_after[i] = body;
  }
}

}  // namespace gpp::nbody::omp
