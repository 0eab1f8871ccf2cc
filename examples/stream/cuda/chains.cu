// Chains of fused multiply-adds on a GPU.

#include "examples/stream/arrays.h"
#include "runtimes/cuda/launch.h"

namespace gpp::stream::cuda {

constexpr int threads_per_block = 256;

/// Each lane does x = a(i) x + y `fmas` times for each of its elements, and writes -x to c(lane).
template <int fmas, class Real>
static __global__ void __launch_bounds__(threads_per_block)
    chains_kernel(Arrays arrays, const Real* a, Real* c) {
  const int lane = static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
  if (lane >= arrays.lanes) return;
  Real x = start;
  for (long long i = lane; i < arrays.n; i += arrays.lanes) {
    const Real factor_of_x = a[i];
#pragma unroll 64
    for (int repeat = 0; repeat < fmas; ++repeat) x = factor_of_x * x + Real{summand};
  }
  c[lane] = -x;
}

template <int fmas, class Real>
static void sum_chains(const Arrays& arrays, const Real* a, Real* c) {
  gpp::cuda::launch_for(arrays.lanes, threads_per_block, chains_kernel<fmas, Real>, arrays, a, c);
}

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

}  // namespace gpp::stream::cuda
