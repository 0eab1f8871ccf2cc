// The epsilon kernels for the harness. Sources: Del Ben et al. 2020 and Yang 2021 for the kernels,
// Deslippe et al. 2012 for the physics.
#pragma once

#include "examples/epsilon/screening.h"
#include "examples/made_kernel.h"

namespace gpp::epsilon {

const std::vector<Variant>& catalog();
KernelBuilt built();

struct Size {
  int bands, n_g, n_g_psi;
  /// The largest element of coulomb. From about 10 on, elimination needs pivoting.
  double strength = 8;
};

/// The side of the smallest box with a size that transforms fast (2^a 3^b 5^c 7^d), in which no
/// product of two waves overlaps one of the first n_g vectors of the neighbouring box.
int side_of_box(int n_g, int n_g_psi);

const examples::Example<Size>& example();

}  // namespace gpp::epsilon
