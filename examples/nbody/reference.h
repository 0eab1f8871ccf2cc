// The reference: one step in double precision on the host.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "examples/nbody/bodies.h"

namespace gpp::nbody {

/// The expected state of a body after the step, and the strength of all forces on it.
struct Due {
  Body<double> body{};
  double pull = 0;  ///< sum of the magnitudes of all forces on it
};

/// Computes body i after the step, by the definition in bodies.h.
inline Due due_body(std::span<const Body<double>> bodies, int i) {
  Due due{bodies[static_cast<std::size_t>(i)]};
  Body<double>& own = due.body;
  double x = 0, y = 0, z = 0;
  for (const Body<double>& from : bodies) {
    const double dx = from.x - own.x, dy = from.y - own.y, dz = from.z - own.z;
    const double square = dx * dx + dy * dy + dz * dz;
    const double softened = square + softening<double>;
    const double inverse_cube = 1 / (softened * std::sqrt(softened));
    x += dx * inverse_cube;
    y += dy * inverse_cube;
    z += dz * inverse_cube;
    due.pull += std::sqrt(square) * inverse_cube;
  }
  own.vx += time_step<double> * x;
  own.vy += time_step<double> * y;
  own.vz += time_step<double> * z;
  own.x += time_step<double> * own.vx;
  own.y += time_step<double> * own.vy;
  own.z += time_step<double> * own.vz;
  return due;
}

}  // namespace gpp::nbody
