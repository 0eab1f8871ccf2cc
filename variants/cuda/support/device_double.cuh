// A double with the fastest reciprocal of a GPU.
//
// `DeviceDouble` is a real type for the arithmetic forms. It has its own `inverse` (see
// gpp/forms/lanes.h) and otherwise works like double. The compiler's 1/x has a branch for denormal
// and infinite arguments, which energies never are.
#pragma once

#include "gpp/complex.h"
#include "gpp/term.h"

namespace gpp::cuda {

struct DeviceDouble {
  double value;

  DeviceDouble() = default;
  __device__ DeviceDouble(double x) : value(x) {}

  __device__ friend DeviceDouble operator+(DeviceDouble a, DeviceDouble b) {
    return a.value + b.value;
  }
  __device__ friend DeviceDouble operator-(DeviceDouble a, DeviceDouble b) {
    return a.value - b.value;
  }
  __device__ friend DeviceDouble operator-(DeviceDouble a) { return -a.value; }
  __device__ friend DeviceDouble operator*(DeviceDouble a, DeviceDouble b) {
    return a.value * b.value;
  }
  __device__ friend DeviceDouble operator/(DeviceDouble a, DeviceDouble b) {
    return a.value / b.value;
  }
  __device__ friend DeviceDouble& operator+=(DeviceDouble& a, DeviceDouble b) { return a = a + b; }
  __device__ friend DeviceDouble& operator-=(DeviceDouble& a, DeviceDouble b) { return a = a - b; }
  __device__ friend bool operator>(DeviceDouble a, DeviceDouble b) { return a.value > b.value; }
  __device__ friend bool operator<=(DeviceDouble a, DeviceDouble b) { return a.value <= b.value; }
  __device__ friend DeviceDouble fabs(DeviceDouble a) { return ::fabs(a.value); }
  __device__ friend DeviceDouble sqrt(DeviceDouble a) { return ::sqrt(a.value); }

  /// 1 / x from the hardware's estimate with 20 bits (PTX rcp.approx.ftz.f64) and one cubic step,
  /// which triples the bits: with e = 1 - x r, 1/x = r (1 + e + e^2) with an error of e^3.
  __device__ friend DeviceDouble inverse(DeviceDouble x) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x.value));
    const double e = fma(-x.value, r, 1.0);
    return fma(r, fma(e, e, e), r);
  }
};

using DeviceComplex = BasicComplex<DeviceDouble>;

__device__ inline DeviceComplex on_device(Complex z) { return {z.re, z.im}; }
__device__ inline BasicLimits<DeviceDouble> on_device(const Limits& limits) {
  return {limits.limitone, limits.limittwo, limits.sexcut};
}
__device__ inline Complex off_device(DeviceComplex z) { return {z.re.value, z.im.value}; }

}  // namespace gpp::cuda
