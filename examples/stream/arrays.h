// The problem of the stream kernels: arrays of numbers, and lanes that process them side by side.
#pragma once

#include "runtimes/registration.h"

namespace gpp::stream {

/// A view of arrays of n elements in the memory where variants run. Trivially copyable, so a kernel
/// takes it by value. Lane l of `lanes` processes elements l, l + lanes, l + 2 lanes, ... in this
/// order. Each element of a is 1 or -1, so that results do not depend on how a compiler rounds.
struct Arrays {
  long long n = 0;  ///< number of elements
  int lanes = 0;    ///< number of lanes, 1..n

  const float* a = nullptr;          ///< (n) 1 or -1
  const float* b = nullptr;          ///< (n) numbers of [1/2, 1)
  const double* a_double = nullptr;  ///< (n) a in double precision
  float* c = nullptr;                ///< (n) output of variants, or (lanes) with one per lane
  double* c_double = nullptr;        ///< (lanes)
};

/// Names all arrays (Relocation of runtimes/registration.h).
void each_array(Arrays& all, auto&& visit) {
  visit(all.a, all.b, all.a_double, all.c, all.c_double);
}

inline constexpr float factor = 1.2f;  ///< of mul and triad
inline constexpr int start = 2;        ///< x before the first fused multiply-add of a lane
inline constexpr int summand = 1;      ///< y in x = a x + y

}  // namespace gpp::stream
