// Kernels with lines that differ clearly, compiled to cubins alone. The tests find lines by their
// marks.
#include "line_table_sample.h"

extern "C" __global__ void strided(const double* __restrict__ x, double* out, unsigned mask,
                                   int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 1e-9 * thread;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    const double v = x[(thread * 37u + i * 4099u) & mask];  // mark: load
    s = fma(s, 0.5, v);                                     // mark: fma
    s = quotient(v, s);                                     // mark: outer call
    if (threadIdx.x & 1) s = odd_lanes(s);                  // mark: predicated call
  }
  out[thread] = s;  // mark: store
}  // mark: last line

extern "C" __device__ __noinline__ double copied(double a, double b) {
  return inner_quotient(a, b) + 1.0;  // mark: call in a copy
}

extern "C" __global__ void second(double* x, double y) {
  x[threadIdx.x] = quotient(x[threadIdx.x], y);  // mark: call of the second kernel
  x[0] = copied(x[0], y);                        // mark: call of the copy
}
