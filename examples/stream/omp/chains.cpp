// Chains of fused multiply-adds on all threads.

#include <algorithm>

#include "examples/stream/arrays.h"

namespace gpp::stream::omp {
namespace {

/// Lanes that proceed together: eight vectors of 64 bytes, so that none waits for its own result.
template <class Real>
constexpr int group = 512 / static_cast<int>(sizeof(Real));

/// Lanes of a thread at a time. Their x stays in L1, and kilobytes are read contiguously.
constexpr int tile = 2048;

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

}  // namespace

// fma: x = a x + y along each lane. Each fused multiply-add reads one number; almost nothing is
// written.
//
// Made from triad.
// Operations: 2 fp32 per element; 4 bytes.
void fma(const Arrays& arrays) { sum_chains<1>(arrays, arrays.a, arrays.c); }
GPP_VARIANT(fma);

// fma_1024: 1024 fused multiply-adds per number read, limited by arithmetic alone.
//
// Made from fma.
// Operations: 2048 fp32 per element; 4 bytes.
void fma_1024(const Arrays& arrays) { sum_chains<1024>(arrays, arrays.a, arrays.c); }
GPP_VARIANT(fma_1024);

// fma_double: fma in double precision, with twice the bytes per operation.
//
// Made from fma.
// Operations: 2 fp64 per element; 8 bytes.
void fma_double(const Arrays& arrays) { sum_chains<1>(arrays, arrays.a_double, arrays.c_double); }
GPP_VARIANT(fma_double);

// sweep_N: N fused multiply-adds per number read. Each line is a variant: sweep_20 and so on.
//
// Made from fma.
// Operations: 2 N fp32 per element; 4 bytes.
template <int fmas>
void sweep(const Arrays& arrays) {
  sum_chains<fmas>(arrays, arrays.a, arrays.c);
}
GPP_VARIANT(sweep<20>);
GPP_VARIANT(sweep<24>);
GPP_VARIANT(sweep<28>);
GPP_VARIANT(sweep<32>);
GPP_VARIANT(sweep<36>);
GPP_VARIANT(sweep<40>);
GPP_VARIANT(sweep<44>);
GPP_VARIANT(sweep<48>);
GPP_VARIANT(sweep<52>);
GPP_VARIANT(sweep<56>);
GPP_VARIANT(sweep<60>);

}  // namespace gpp::stream::omp
