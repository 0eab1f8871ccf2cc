// Several neighbouring G vectors in one variable, as many as a processor's vector holds. A GPU's
// thread has one: gpu/one_lane.h.
//
// `Lanes` is a real type for the arithmetic forms. GNU vector extensions, which g++ and clang
// support, keep it in registers independently of the optimiser.
#pragma once

#if defined(GPP_OMP_GPU)
#include "variants/omp/gpu/one_lane.h"
#else

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "gpp/array.h"
#include "gpp/complex.h"
#include "gpp/term.h"

namespace gpp::omp {

#if defined(__AVX512F__)
inline constexpr int lanes = 8;
inline constexpr int vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int lanes = 4;
inline constexpr int vector_registers = 16;
#else
inline constexpr int lanes = 2;
inline constexpr int vector_registers = 16;
#endif

/// One bool per lane.
struct Mask {
  using Vector = long long __attribute__((vector_size(lanes * sizeof(double))));
  Vector v;

  friend Mask operator&&(Mask a, Mask b) { return {a.v & b.v}; }
  friend Mask operator||(Mask a, Mask b) { return {a.v | b.v}; }
  friend bool any(Mask mask) {
    bool found = false;
    for (int lane = 0; lane < lanes; ++lane) found = found || mask.v[lane] != 0;
    return found;
  }
};

/// One double per lane. A plain double has the same value in every lane.
struct Lanes {
  using Vector = double __attribute__((vector_size(lanes * sizeof(double))));
  Vector v;

  Lanes() = default;
  Lanes(double x) : v(x - Vector{}) {}  // NOLINT(google-explicit-constructor)
  Lanes(Vector x) : v(x) {}             // NOLINT(google-explicit-constructor)

  friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
  friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
  friend Lanes operator-(Lanes a) { return -a.v; }
  friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
  friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
  friend Lanes& operator+=(Lanes& a, Lanes b) { return a = a + b; }
  friend Lanes& operator-=(Lanes& a, Lanes b) { return a = a - b; }

  friend Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  friend Mask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
  friend Mask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }

  friend Lanes select(Mask condition, Lanes a, Lanes b) { return condition.v ? a.v : b.v; }
  friend Lanes fabs(Lanes a) {
    constexpr long long all_but_the_sign = 0x7fffffffffffffff;
    return reinterpret_cast<Vector>(reinterpret_cast<Mask::Vector>(a.v) & all_but_the_sign);
  }
  friend Lanes sqrt(Lanes a) {
    for (int lane = 0; lane < lanes; ++lane) a.v[lane] = std::sqrt(a.v[lane]);
    return a;
  }

  /// 1 / x. If the processor has a reciprocal r of 14 bits, one step of fourth order gives full
  /// precision in a third of a division's time: with e = 1 - x r, 1/x = r (1 + e + e^2 + e^3) with
  /// an error of e^4.
  friend Lanes inverse(Lanes x) {
#if defined(__AVX512F__)
    const Vector seed = _mm512_maskz_rcp14_pd(0xff, x.v);
    const Vector error = 1.0 - x.v * seed;
    return seed + seed * (error + error * (error + error * error));
#else
    return 1.0 / x.v;
#endif
  }
};

using ComplexLanes = BasicComplex<Lanes>;

inline ComplexLanes select(Mask condition, ComplexLanes a, ComplexLanes b) {
  return {select(condition, a.re, b.re), select(condition, a.im, b.im)};
}

inline BasicLimits<Lanes> in_all_lanes(const Limits& limits) {
  return {limits.limitone, limits.limittwo, limits.sexcut};
}

inline ComplexLanes in_all_lanes(Complex z) { return {z.re, z.im}; }

/// Loads `lanes` complex numbers into separate real and imaginary parts.
template <std::size_t... lane>
ComplexLanes load(const Complex* from, std::index_sequence<lane...>) {
  Lanes::Vector low, high;
  std::memcpy(&low, from, sizeof(low));
  std::memcpy(&high, reinterpret_cast<const double*>(from) + lanes, sizeof(high));
  return {__builtin_shufflevector(low, high, (2 * lane)...),
          __builtin_shufflevector(low, high, (2 * lane + 1)...)};
}

/// Neighbours in a column from row `first` on; 0 past its end.
inline ComplexLanes load(const Array2<const Complex>& array, int first, int column) {
  const Complex* from = &array(first, column);
  if (first + lanes <= array.rows) return load(from, std::make_index_sequence<lanes>());
  Complex padded[lanes]{};
  std::copy_n(from, array.rows - first, padded);
  return load(padded, std::make_index_sequence<lanes>());
}

/// The sum of all lanes.
inline Complex total(ComplexLanes z) {
  Complex sum{};
  for (int lane = 0; lane < lanes; ++lane) sum += Complex{z.re.v[lane], z.im.v[lane]};
  return sum;
}

}  // namespace gpp::omp

#endif  // GPP_OMP_GPU
