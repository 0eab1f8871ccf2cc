// soa: positions apart from velocities, as vectors of four numbers.
//
// Velocities, half of each structure, are not read.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {

template <class Real>
static void soa_step(const Arrays<Real>& arrays) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < arrays.n; ++i) {
    const Vector4<Real> own = arrays.positions[i];
    move(arrays, i, pull_of_all(arrays.positions, arrays.n, own));
  }
}

void soa(const Bodies& bodies) { soa_step(bodies.in_double); }
GPP_VARIANT(soa);

// soa_float: soa in single precision.
// Operations: 18 fp32 per pair; 64 bytes per body.
void soa_float(const Bodies& bodies) { soa_step(bodies.in_float); }
GPP_VARIANT(soa_float);

}  // namespace gpp::nbody::omp
