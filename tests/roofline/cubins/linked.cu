// The second source of linked_90.cubin: nvlink keeps the names of inlined functions of the first
// alone. In a folder of the three sources, with nvcc 13.0:
//   nvcc -cubin -lineinfo -O3 -std=c++20 -arch=sm_90 -o sample_90.cubin line_table_sample.cu
//   nvcc -rdc=true -cubin ... for each of both sources, then nvlink -arch=sm_90
#include "line_table_sample.h"

__device__ __noinline__ double other_copy(double a) { return a * quotient(a, 2.0); }

extern "C" __global__ void third(double* x) {
  x[threadIdx.x] = odd_lanes(quotient(x[threadIdx.x], 3.0)) + other_copy(x[0]);
}
