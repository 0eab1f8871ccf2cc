// Vectors of eight G and their sums, used only by the reference, which shares no code with the
// variants.
//
// The width is fixed, and the compiler maps it to the processor's vectors, so results have the same
// bits on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gpp/array.h"
#include "gpp/complex.h"

namespace gpp::reference {

inline constexpr int width = 8;
using Lanes = double __attribute__((vector_size(width * sizeof(double))));
using Mask = long long __attribute__((vector_size(width * sizeof(double))));

struct ComplexLanes {
  Lanes re;
  Lanes im;
};

// Turns a double into a vector with this value in every lane.
inline Lanes all(double value) { return value - Lanes{}; }
inline ComplexLanes all(Complex z) { return {all(z.re), all(z.im)}; }
inline Lanes square(ComplexLanes z) { return z.re * z.re + z.im * z.im; }
inline ComplexLanes times(ComplexLanes a, ComplexLanes b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline ComplexLanes over(ComplexLanes a, ComplexLanes b) {
  const Lanes inverse = 1.0 / square(b);
  return {(a.re * b.re + a.im * b.im) * inverse, (a.im * b.re - a.re * b.im) * inverse};
}
inline ComplexLanes over(ComplexLanes a, Lanes b) {
  const Lanes inverse = 1.0 / b;
  return {a.re * inverse, a.im * inverse};
}
inline ComplexLanes scaled(double factor, ComplexLanes z) { return {factor * z.re, factor * z.im}; }
inline ComplexLanes where(Mask condition, ComplexLanes a, ComplexLanes b) {
  return {condition ? a.re : b.re, condition ? a.im : b.im};
}
inline Lanes absolute(Lanes x) {
  constexpr long long all_but_the_sign = std::numeric_limits<long long>::max();
  return std::bit_cast<Lanes>(std::bit_cast<Mask>(x) & all_but_the_sign);
}
inline bool any(Mask mask) {
  using Bytes = signed char __attribute__((vector_size(width)));
  return std::bit_cast<std::int64_t>(__builtin_convertvector(mask, Bytes)) != 0;
}
inline bool every(Mask mask) { return !any(~mask); }

/// Loads eight complex numbers into separate vectors of real and imaginary parts.
inline ComplexLanes load(const Complex* from) {
  Lanes low, high;
  std::memcpy(&low, from, sizeof(low));
  std::memcpy(&high, from + width / 2, sizeof(high));
  return {__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14),
          __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15)};
}

/// Loads eight neighbours of a column; lanes past its end get `filler`.
inline ComplexLanes load(const Array2<const Complex>& array, int first, int column,
                         Complex filler) {
  const Complex* from = &array(first, column);
  if (first + width <= array.rows) return load(from);
  Complex padded[width];
  std::fill(std::copy_n(from, array.rows - first, padded), padded + width, filler);
  return load(padded);
}

// ---- Compensated sums, as accurate as sums in twice the precision

/// A running sum together with the sum of its rounding errors (TwoSum: Knuth 1969). `Number` is
/// double or Lanes.
template <class Number>
struct Compensated {
  Number sum{};
  Number error{};

  void add(Number x) {
    const Number total = sum + x;
    const Number kept = total - sum;
    error += (sum - (total - kept)) + (x - kept);
    sum = total;
  }
};

/// One real component of a sum, with its magnitude and ties.
template <class Number>
struct Component {
  Compensated<Number> value;
  Number magnitude{};
  Number ties{};

  void add(Number term) {
    value.add(term);
    magnitude += absolute(term);
  }
  void add(const Component& part) {
    value.add(part.value.sum);
    value.add(part.value.error);
    magnitude += part.magnitude;
    ties += part.ties;
  }
};

/// The real and imaginary parts of a sum.
template <class Number>
struct Parts {
  Component<Number> re, im;

  void add(ComplexLanes term) {
    re.add(term.re);
    im.add(term.im);
  }
  void add(const Parts& part) {
    re.add(part.re);
    im.add(part.im);
  }
};

/// The sum over the lanes, in order.
inline Parts<double> sum_of_lanes(const Parts<Lanes>& lanes) {
  const auto one = [](const Component<Lanes>& component, int lane) {
    return Component<double>{{component.value.sum[lane], component.value.error[lane]},
                             component.magnitude[lane],
                             component.ties[lane]};
  };
  Parts<double> sum;
  for (int lane = 0; lane < width; ++lane) sum.add({one(lanes.re, lane), one(lanes.im, lane)});
  return sum;
}

}  // namespace gpp::reference
