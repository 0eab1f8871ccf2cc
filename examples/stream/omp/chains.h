// Chains of fused multiply-adds on all threads: common code of fma and related steps.
#pragma once

#include <algorithm>

#include "examples/stream/arrays.h"

namespace gpp::stream::omp {

/// Lanes that proceed together: eight vectors of 64 bytes, so that none waits for its own result.
template <class Real>
inline constexpr int group = 512 / static_cast<int>(sizeof(Real));

/// Lanes of a thread at a time. Their x stays in L1, and kilobytes are read contiguously.
inline constexpr int tile = 2048;

/// Does x = a x + y `fmas` times for each of the given lanes.
template <int fmas, class Real>
void advance(Real* x, const Real* a, int lanes) {
  for (int repeat = 0; repeat < fmas; ++repeat)
    for (int lane = 0; lane < lanes; ++lane) x[lane] = a[lane] * x[lane] + Real{summand};
}

/// Processes a whole group of lanes in registers.
template <int fmas, class Real>
void advance_group(Real* x, const Real* a) {
  Real in_registers[group<Real>], factors[group<Real>];
  std::copy(x, x + group<Real>, in_registers);
  std::copy(a, a + group<Real>, factors);
  advance<fmas>(in_registers, factors, group<Real>);
  std::copy(in_registers, in_registers + group<Real>, x);
}

/// Each lane does x = a(i) x + y `fmas` times for each of its elements, and writes -x to c(lane).
template <int fmas, class Real>
void sum_chains(const Arrays& arrays, const Real* a, Real* c) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < arrays.lanes; first += tile) {
    const int width = std::min(tile, arrays.lanes - first);
    Real x[tile];
    std::fill(x, x + width, Real{start});
    for (long long row = first; row < arrays.n; row += arrays.lanes) {
      const int filled = static_cast<int>(std::min<long long>(width, arrays.n - row));
      int lane = 0;
      for (; lane + group<Real> <= filled; lane += group<Real>)
        advance_group<fmas>(x + lane, a + row + lane);
      advance<fmas>(x + lane, a + row + lane, filled - lane);
    }
    for (int lane = 0; lane < width; ++lane) c[first + lane] = -x[lane];
  }
}

}  // namespace gpp::stream::omp
