// The step `soa` in either precision.
#pragma once

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {

template <class Real>
void soa_step(const Arrays<Real>& arrays) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < arrays.n; ++i) {
    const Vector3<Real> own = position_of<Real>(arrays.positions[i]);
    move(arrays, i, pull_of_all(arrays.positions, arrays.n, own));
  }
}

}  // namespace gpp::nbody::omp
