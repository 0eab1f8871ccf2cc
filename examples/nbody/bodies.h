// The problem of the nbody kernels: bodies that attract each other, and one time step.
//
// Each body has mass 1, and the constant of gravity is 1. The force on body i is
//   F_i = sum over j of (r_j - r_i) / (|r_j - r_i|^2 + softening)^(3/2),
// and a step does v += time_step F, then r += time_step v. Softening (Aarseth 1963) keeps the force
// finite where two bodies meet. The sum may include j = i, because that force is 0.
#pragma once

#include "runtimes/registration.h"

namespace gpp::nbody {

template <class Real>
inline constexpr Real softening = Real(1e-9);  ///< term added to squared distances

template <class Real>
inline constexpr Real time_step = Real(0.01);

/// A body as one structure.
template <class Real>
struct Body {
  Real x, y, z;
  Real vx, vy, vz;
};

template <class Real>
struct Vector3 {
  Real x, y, z;
};

/// Three coordinates and one number of padding, so that one instruction reads 16 bytes.
template <class Real>
struct alignas(16) Vector4 {
  Real x, y, z, w;
};

/// The number of partial force sums per body in steps that keep several. 30000 bodies in blocks of
/// 640 give 47 rows of 14 blocks: 4.98 per multiprocessor of an H200, all resident at once.
inline constexpr int parts = 14;

/// The bodies in one precision and two layouts, in the memory where variants run. A variant reads
/// one layout and writes the same one.
template <class Real>
struct Arrays {
  int n = 0;  ///< number of bodies, at least 1

  const Body<Real>* bodies = nullptr;  ///< (n)
  Body<Real>* bodies_after = nullptr;  ///< (n)

  const Vector4<Real>* positions = nullptr;   ///< (n)
  const Vector4<Real>* velocities = nullptr;  ///< (n)
  Vector4<Real>* positions_after = nullptr;   ///< (n)
  Vector4<Real>* velocities_after = nullptr;  ///< (n)

  Vector4<Real>* sums = nullptr;  ///< (parts, n) scratch memory of variants
};

/// All bodies, in both precisions.
struct Bodies {
  Arrays<float> in_float;
  Arrays<double> in_double;
};

/// Names all arrays (Relocation of runtimes/registration.h).
void each_array(Bodies& all, auto&& visit) {
  const auto in = [&visit](auto& one) {
    visit(one.bodies, one.bodies_after, one.positions, one.velocities, one.positions_after,
          one.velocities_after, one.sums);
  };
  in(all.in_float);
  in(all.in_double);
}

}  // namespace gpp::nbody
