// Chains of fused multiply-adds on all threads: the common part of fma and its relatives.
#pragma once

#include <algorithm>

#include "examples/stream/arrays.h"

namespace gpp::stream::omp {

/// Each lane does x = a(i) x + y `fmas` times for each of its elements, and gives -x in c(lane).
/// Lanes side by side fill the vectors; so many of them that each waits for no other's result.
template <int fmas, class Real>
void sum_chains(const Arrays& arrays, const Real* a, Real* c) {
  constexpr int group = 512 / static_cast<int>(sizeof(Real));  // eight vectors of 64 bytes
#pragma omp parallel for schedule(static)
  for (int first = 0; first < arrays.lanes; first += group) {
    const int width = std::min(group, arrays.lanes - first);
    Real x[group], factors[group];
    std::fill(x, x + group, Real{start});
    for (long long row = first; row < arrays.n; row += arrays.lanes) {
      const int filled = static_cast<int>(std::min<long long>(width, arrays.n - row));
      std::copy(a + row, a + row + filled, factors);
      std::fill(factors + filled, factors + group, Real{0});
      if (filled == group) {
        for (int repeat = 0; repeat < fmas; ++repeat)
          for (int lane = 0; lane < group; ++lane)
            x[lane] = factors[lane] * x[lane] + Real{summand};
      } else {
        for (int repeat = 0; repeat < fmas; ++repeat)
          for (int lane = 0; lane < filled; ++lane)
            x[lane] = factors[lane] * x[lane] + Real{summand};
      }
    }
    for (int lane = 0; lane < width; ++lane) c[first + lane] = -x[lane];
  }
}

}  // namespace gpp::stream::omp
