// Complex numbers with formula-like syntax, on host and device, over any real type.
//
// std::complex is not used because device compilers treat it differently and because its arithmetic
// is fixed to the built-in reals. This one also works with a real type that counts its operations.
#pragma once

#include <cmath>

#include "gpp/markers.h"

namespace gpp {

/// A complex number over `Real`. Same layout as Fortran's complex: real part first.
template <class Real>
struct alignas(2 * sizeof(Real)) BasicComplex {
  Real re;
  Real im;
};

using Complex = BasicComplex<double>;

template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator+(BasicComplex<Real> a, BasicComplex<Real> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator-(BasicComplex<Real> a, BasicComplex<Real> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator-(BasicComplex<Real> a) {
  return {-a.re, -a.im};
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator*(BasicComplex<Real> a, BasicComplex<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator+(BasicComplex<Real> a, Real b) {
  return {a.re + b, a.im};
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator-(Real a, BasicComplex<Real> b) {
  return {a - b.re, -b.im};
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator*(Real a, BasicComplex<Real> b) {
  return {a * b.re, a * b.im};
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> operator*(BasicComplex<Real> a, Real b) {
  return b * a;
}

template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real>& operator+=(BasicComplex<Real>& a,
                                                         BasicComplex<Real> b) {
  a.re += b.re;
  a.im += b.im;
  return a;
}
template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real>& operator-=(BasicComplex<Real>& a,
                                                         BasicComplex<Real> b) {
  a.re -= b.re;
  a.im -= b.im;
  return a;
}

template <class Real>
GPP_HOST_DEVICE constexpr bool operator==(BasicComplex<Real> a, BasicComplex<Real> b) {
  return a.re == b.re && a.im == b.im;
}

template <class Real>
GPP_HOST_DEVICE constexpr BasicComplex<Real> conj(BasicComplex<Real> z) {
  return {z.re, -z.im};
}

/// |z|^2.
template <class Real>
GPP_HOST_DEVICE constexpr Real norm(BasicComplex<Real> z) {
  return z.re * z.re + z.im * z.im;
}

/// |z| by the math library: it cannot overflow, at the price of a square root and scaling.
template <class Real>
GPP_HOST_DEVICE inline Real abs(BasicComplex<Real> z) {
  using std::hypot;
  return hypot(z.re, z.im);
}

/// a / b with both scaled by |b.re| + |b.im| first, so that the squares of b cannot overflow. The
/// same algorithm as CUDA's cuCdiv: two real reciprocals per quotient.
template <class Real>
GPP_HOST_DEVICE inline BasicComplex<Real> operator/(BasicComplex<Real> a, BasicComplex<Real> b) {
  using std::fabs;
  const Real scale = Real(1) / (fabs(b.re) + fabs(b.im));
  const BasicComplex<Real> as = scale * a;
  const BasicComplex<Real> bs = scale * b;
  const Real inverse = Real(1) / norm(bs);
  return inverse * (as * conj(bs));
}

}  // namespace gpp
