// The reference: one step in double precision on the host, and the energy of bodies.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "examples/nbody/bodies.h"
#include "roofline/base/parallel.h"

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

/// Computes the given bodies after the step.
inline std::vector<Due> due_bodies(std::span<const Body<double>> bodies,
                                   const std::vector<int>& chosen) {
  std::vector<Due> due(chosen.size());
  roofline::parallel_for(static_cast<int>(chosen.size()), [&](int k) {
    const auto place = static_cast<std::size_t>(k);
    due[place] = due_body(bodies, chosen[place]);
  });
  return due;
}

/// The energy of bodies as a separate system.
struct Energy {
  double kinetic = 0;
  double potential = 0;  ///< potential energy, never positive
  /// The change of U for independent relative errors of all positions, per error. Bodies close to
  /// each other make it large.
  double per_rounding = 0;
  double total() const { return kinetic + potential; }
};

/// T = sum of v^2 / 2, and U = -sum over pairs i < j of 1 / sqrt(|r_j - r_i|^2 + softening), whose
/// derivative is the softened force (Aarseth 1963).
inline Energy energy_of(std::span<const Body<double>> bodies) {
  std::vector<Energy> rows(bodies.size());
  roofline::parallel_for(static_cast<int>(bodies.size()), [&](int row) {
    const auto i = static_cast<std::size_t>(row);
    const Body<double>& own = bodies[i];
    rows[i].kinetic = (own.vx * own.vx + own.vy * own.vy + own.vz * own.vz) / 2;
    for (const Body<double>& from : bodies.subspan(i + 1)) {
      const double dx = from.x - own.x, dy = from.y - own.y, dz = from.z - own.z;
      const double square = dx * dx + dy * dy + dz * dz + softening<double>;
      rows[i].potential -= 1 / std::sqrt(square);
      const double change =
          (std::hypot(own.x, own.y, own.z) + std::hypot(from.x, from.y, from.z)) / square;
      rows[i].per_rounding += change * change;
    }
  });
  Energy sum;
  for (const Energy& row : rows) {
    sum.kinetic += row.kinetic;
    sum.potential += row.potential;
    sum.per_rounding += row.per_rounding;
  }
  sum.per_rounding = std::sqrt(sum.per_rounding);
  return sum;
}

}  // namespace gpp::nbody
