// orig: sums all forces on each body, and reads bodies as structures.
//
// The threads share the bodies. Vector lanes share the other bodies, whose numbers lie one
// structure apart.
//
// In doubles, with the reciprocal root in single precision, as in Lu and Wolfe 2022.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/omp/pull.h"

namespace gpp::nbody::omp {

template <class Real>
static void orig_step(const Arrays<Real>& arrays) {
  constexpr Real dt = time_step<Real>;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < arrays.n; ++i) {
    Body<Real> body = arrays.bodies[i];
    const Vector3<Real> force = pull_of_all(arrays.bodies, arrays.n, body);
    body.vx += dt * force.x;
    body.vy += dt * force.y;
    body.vz += dt * force.z;
    body.x += dt * body.vx;
    body.y += dt * body.vy;
    body.z += dt * body.vz;
    arrays.bodies_after[i] = body;
  }
}

void orig(const Bodies& bodies) { orig_step(bodies.in_double); }
GPP_VARIANT(orig);

// orig_float: orig in single precision.
// Operations: 18 fp32 per pair; 48 bytes per body.
void orig_float(const Bodies& bodies) { orig_step(bodies.in_float); }
GPP_VARIANT(orig_float);

}  // namespace gpp::nbody::omp
