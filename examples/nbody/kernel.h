// The nbody kernels for the harness. Sources of the kernels: Harris 2014, Lu and Wolfe 2022.
#pragma once

#include <span>

#include "examples/made_kernel.h"
#include "examples/nbody/bodies.h"

namespace gpp::nbody {

const std::vector<Variant>& catalog();
KernelBuilt built();

/// The expected state of a body after the step, and the strength of all forces on it.
struct Due {
  Body<double> body{};
  double pull = 0;  ///< sum of the magnitudes of all forces on it
  /// The scale of their rounding errors when they are added in floats. It is their pull, unless one
  /// force is more than the third that the tolerance assumes: a close pair. What that one is above
  /// a third may cost each later sum half its last digit, 2^-24, in one direction (Higham 1993).
  double pull_in_floats = 0;
};

/// The reference: body i after one step in double precision, by the definition in bodies.h.
Due due_body(std::span<const Body<double>> bodies, int i);

/// An input has n bodies.
const examples::Example<int>& example();

}  // namespace gpp::nbody
