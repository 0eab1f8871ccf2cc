// The form of moments (step v13): a short series replaces a group of empty bands.
//
// Source: a geometric series. Empty bands lie below the poles. For a group with x in [c - h, c + h]
// and t = x - c, and a real pole a above it:
//
//   1/(x - a) = -w (1 + w t + (w t)^2 + ...),   w = 1/(a - c),   h w < 1
//
// So its P = sum m/(x - a) is -w sum_k w^k M_k. The moments M_k = sum_n t_n^k m_n do not depend on
// the pole. `rank` of them are kept. The first dropped power, t^rank, is replaced by its best
// polynomial of lower degree: (t/h)^rank - T_rank(t/h) / 2^(rank-1) (Chebyshev 1854; economisation
// of power series: Lanczos 1938).
#pragma once

#include "gpp/complex.h"
#include "gpp/forms/lanes.h"

namespace gpp {

/// y^rank ~ sum_k coefficient[k] y^k for y in [-1, 1]: the lower coefficients of T_rank, divided by
/// its leading one. T_(n+1) = 2 y T_n - T_(n-1).
template <int rank>
struct EconomisedPower {
  double coefficient[rank] = {};

  GPP_HOST_DEVICE constexpr EconomisedPower() {
    double before[rank + 1] = {1.0};
    double now[rank + 1] = {0.0, 1.0};
    for (int n = 1; n < rank; ++n) {
      for (int k = rank; k >= 0; --k) {
        const double next = (k > 0 ? 2.0 * now[k - 1] : 0.0) - before[k];
        before[k] = now[k];
        now[k] = next;
      }
    }
    for (int k = 0; k < rank; ++k) coefficient[k] = -now[k] / now[rank];
  }
};

/// A complex product can be made from three real products (Gauss; Higham 1992). These are the
/// three real parts for aqsn = a + ib and conj(aqsm) = c + id: c (a + b), a (d - c) and b (c +
/// d).
inline constexpr int product_parts = 3;

/// The complex product from the three real products: real and imaginary part.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> from_products(Real first, Real second, Real third) {
  return {first - third, first + second};
}

/// The moments that replace a group's bands at one pair of G and G'.
template <class Real, int rank>
struct MomentSeries {
  BasicComplex<Real> M[rank];
  BasicComplex<Real> M_rank{};  ///< replacement of the moment of t^rank

  /// Computes M_rank from the lower moments, with the powers of t in T_rank.
  GPP_HOST_DEVICE void economise(Real h) {
    constexpr EconomisedPower<rank> power;
    Real h_power = h * h;  // h^(rank - k)
    for (int k = rank - 2; k >= 0; k -= 2) {
      M_rank += (Real(power.coefficient[k]) * h_power) * M[k];
      h_power = h_power * h * h;
    }
  }

  /// Adds the sum of m / (a - x) over the group's bands, which is -P.
  GPP_HOST_DEVICE void add_to(BasicComplex<Real>& sum, Real a, Real c) const {
    const Real w = inverse(a - c);
    BasicComplex<Real> series = M_rank;
    for (int k = rank - 1; k >= 0; --k) series = M[k] + w * series;
    sum += w * series;
  }
};

/// sch m summed over the groups' bands: wtilde I_eps P.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> moments_sch(BasicComplex<Real> wtilde,
                                                      BasicComplex<Real> I_eps,
                                                      BasicComplex<Real> minus_P) {
  return (-wtilde.re * I_eps) * minus_P;
}

}  // namespace gpp
