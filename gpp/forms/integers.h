// The form of integers (step v14): the moments of v13 from exact sums of 8-bit products.
//
// Sources: digits and their diagonals, Ozaki, Ogita, Oishi and Rump 2012; on integer tensor cores,
// Ootomo, Ozaki and Yokota 2024. A number below `top` is cut into digits of base 256:
//
//   x = d_0 + d_1/256 + d_2/256^2 + ...,   every d from -128 to 127
//
// so that a product is a sum over pairs of digits. Products with the same p + q = d form a
// diagonal; they have the same weight 256^-d and share a sum. The last diagonals are left out.
// Higher moments, which are multiplied by powers of the group's width, leave out more of them.
//
// The moments are Chebyshev's, of T_k(t/h) instead of t^k. For a group with x in [c - h, c + h] and
// a real pole a above it (the generating function of T_k, Mason and Handscomb 2003):
//
//   1/(a - x) = w g (1 + 2 sum_k (s/2)^k T_k(t/h)),   w = 1/(a - c),  u = h w < 1,
//   g = 1/sqrt(1 - u^2),   s = 2 (1 - sqrt(1 - u^2)) / u
//
// s/2 is about u/2, so each further moment weighs half of what a power of t would weigh.
#pragma once

#include <cmath>

#include "gpp/complex.h"
#include "gpp/forms/lanes.h"

namespace gpp {

inline constexpr int integer_moments = 6;
inline constexpr int most_digits = 6;

/// The number of digits of moment k, which is also its number of diagonals.
GPP_HOST_DEVICE constexpr int digits_of(int k) { return most_digits - k; }
/// The number of moments that have digit (or diagonal) d; these are the first ones.
GPP_HOST_DEVICE constexpr int moments_with(int d) { return integer_moments - d; }
/// The number of all digits (or diagonals) before d.
GPP_HOST_DEVICE constexpr int moments_before(int d) {
  return d * (2 * integer_moments + 1 - d) / 2;
}
inline constexpr int all_diagonals = moments_before(most_digits);

/// The largest component of a row is scaled to this. aqsn and aqsm have different scales: equal
/// digits for G = G' would give all errors of dropped diagonals the same sign.
inline constexpr double top_aqsn = 127.49;
inline constexpr double top_aqsm = 0.83 * top_aqsn;

/// Groups with more bands get smaller digits, so that sums and their joins fit.
inline constexpr int full_scale_bands = 64;
inline constexpr int most_group_bands = 240;
GPP_HOST_DEVICE constexpr double scale_of_group(int bands) {
  return bands <= full_scale_bands ? 1.0 : 1.0 * full_scale_bands / bands;
}

/// A number as digits, stored in one integer.
class Digits {
 public:
  /// `value` must be below 127.5. Digit p has weight 256^-p.
  GPP_HOST_DEVICE Digits(double value, int digits) : digits_(digits) {
    constexpr long long half = 0x808080808080;  // makes all digits positive, without a carry
    const int unused = 8 * (most_digits - digits);
    const double last = static_cast<double>(1LL << (8 * (digits - 1)));
    biased_ = static_cast<unsigned long long>(llrint(value * last) + (half >> unused));
  }
  /// The byte of digit p, in two's complement.
  GPP_HOST_DEVICE unsigned byte(int p) const {
    return (static_cast<unsigned>(biased_ >> (8 * (digits_ - 1 - p))) & 0xffu) ^ 0x80u;
  }

 private:
  int digits_;
  unsigned long long biased_;
};

/// Chebyshev's T_k(y): T_(n+1) = 2 y T_n - T_(n-1), and T_(-1) = T_1.
GPP_HOST_DEVICE inline double chebyshev(int k, double y) {
  double before = y;
  double now = 1;
  for (int n = 0; n < k; ++n) {
    const double next = 2 * y * now - before;
    before = now;
    now = next;
  }
  return now;
}

namespace detail {

/// value 2^exponent, exactly, for values below 2^51.
template <int exponent>
GPP_HOST_DEVICE inline double scaled(long long value) {
#ifdef __CUDA_ARCH__
  // The last bit of this number is worth 2^exponent, so the sum holds the value in its last bits.
  constexpr int high = ((1075 + exponent) << 20) + (1 << 19);
  return __hiloint2double(static_cast<int>(value >> 32) + high, static_cast<int>(value)) -
         __hiloint2double(high, 0);
#else
  return std::ldexp(static_cast<double>(value), exponent);
#endif
}

GPP_HOST_DEVICE inline long long multiply_add(int a, int b, long long c) {
  return static_cast<long long>(a) * b + c;
}

}  // namespace detail

/// Two times moment k (once for k = 0), divided by 2^k, from its diagonals: sum d[p] 256^-p. Bits
/// below 2^-30, a third of the error of a dropped diagonal, are discarded.
template <int k>
GPP_HOST_DEVICE inline double join_diagonals(const int (&d)[most_digits]) {
  using detail::multiply_add;
  using detail::scaled;
  constexpr int digits = digits_of(k);
  constexpr int exponent = k == 0 ? 0 : 1 - k;
  if constexpr (digits >= 5) {
    // One side rounds halves up and the other rounds down, so that together they have no bias.
    const int below = (digits == 6 ? d[4] + (d[5] >> 8) : d[4]) + 2;
    const int low = d[3] * 64 + (below >> 2);
    return scaled<exponent - 30>(
        multiply_add(d[0] * 256 + d[1], 1 << 22, multiply_add(d[2], 1 << 14, low)));
  } else if constexpr (digits == 4) {
    return scaled<exponent - 24>(
        multiply_add(d[0] * 256 + d[1], 1 << 16, multiply_add(d[2], 1 << 8, d[3])));
  } else if constexpr (digits == 3) {
    return scaled<exponent - 16>(multiply_add(d[0] * 256 + d[1], 1 << 8, d[2]));
  } else if constexpr (digits == 2) {
    return scaled<exponent - 8>(d[0] * 256 + d[1]);
  } else {
    return scaled<exponent>(d[0]);
  }
}

/// A pole's sum over the group, from the joined moments M: sum m/(a - x) = weight (M_0 + s M_1 +
/// s^2 M_2 + ...). s and weight are series in u^2, to the accuracy of six moments.
template <class Real>
struct PoleSeries {
  Real s;
  Real weight;

  GPP_HOST_DEVICE PoleSeries(Real a, Real c, Real h) {
    const Real w = inverse(a - c);
    const Real u = h * w;
    const Real v = u * u;
    s = u + u * (v * (Real(0.25) + Real(0.125) * v));
    weight = w * (Real(1) + v * (Real(0.5) + v * (Real(0.375) + Real(0.3125) * v)));
  }
};

}  // namespace gpp
