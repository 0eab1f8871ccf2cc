// `Lanes` (variants/omp/lanes.h) on a GPU: one G vector per thread, where threads are the lanes.
// Reciprocals of doubles use the GPU's fastest method.
#pragma once

#include <cmath>

#include "gpp/array.h"
#include "gpp/complex.h"
#include "gpp/term.h"

namespace gpp::omp {

inline constexpr int lanes = 1;

using Mask = bool;
inline bool any(Mask mask) { return mask; }

struct Lanes {
  double v;

  Lanes() = default;
  Lanes(double x) : v(x) {}  // NOLINT(google-explicit-constructor)

  friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
  friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
  friend Lanes operator-(Lanes a) { return -a.v; }
  friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
  friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
  friend Lanes& operator+=(Lanes& a, Lanes b) { return a = a + b; }
  friend Lanes& operator-=(Lanes& a, Lanes b) { return a = a - b; }

  friend Mask operator<(Lanes a, Lanes b) { return a.v < b.v; }
  friend Mask operator>(Lanes a, Lanes b) { return a.v > b.v; }
  friend Mask operator<=(Lanes a, Lanes b) { return a.v <= b.v; }

  friend Lanes fabs(Lanes a) { return std::fabs(a.v); }
  friend Lanes sqrt(Lanes a) { return std::sqrt(a.v); }

  /// 1 / x from the hardware's estimate (PTX rcp.approx.ftz.f64, 20 bits; V_RCP_F64 of AMD) and one
  /// cubic step: with e = 1 - x r, 1/x = r (1 + e + e^2) with an error of e^3. The compiler's 1/x
  /// has a branch for denormal and infinite arguments, which energies never are.
  friend Lanes inverse(Lanes x) {
#if defined(__NVPTX__) || defined(__AMDGCN__)
#if defined(__NVPTX__)
    const double r = __nvvm_rcp_approx_ftz_d(x.v);
#else
    const double r = __builtin_amdgcn_rcp(x.v);
#endif
    const double e = __builtin_fma(-x.v, r, 1.0);
    return __builtin_fma(r, __builtin_fma(e, e, e), r);
#else
    return 1.0 / x.v;  // the host's code of this compilation, which never runs
#endif
  }
};

using ComplexLanes = BasicComplex<Lanes>;

inline BasicLimits<Lanes> in_all_lanes(const Limits& limits) {
  return {limits.limitone, limits.limittwo, limits.sexcut};
}

inline ComplexLanes in_all_lanes(Complex z) { return {z.re, z.im}; }

inline ComplexLanes load(const Array2<const Complex>& array, int row, int column) {
  return in_all_lanes(array(row, column));
}

inline Complex total(ComplexLanes z) { return {z.re.v, z.im.v}; }

}  // namespace gpp::omp
