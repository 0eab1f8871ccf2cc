// Chains of fused multiply-adds on a GPU: common code of fma and related steps.
#pragma once

#include "examples/stream/cuda/elements.cuh"

namespace gpp::stream::cuda {

/// Each lane does x = a(i) x + y `fmas` times for each of its elements, and writes -x to c(lane).
template <int fmas, class Real>
__global__ void __launch_bounds__(threads_per_block)
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
void sum_chains(const Arrays& arrays, const Real* a, Real* c) {
  using namespace gpp::cuda;
  launch(chains_kernel<fmas, Real>,
         Shape{blocks_for(arrays.lanes, threads_per_block), threads_per_block}, arrays, a, c);
}

}  // namespace gpp::stream::cuda
