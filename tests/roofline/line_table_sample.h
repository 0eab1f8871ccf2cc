// Inlined helpers of line_table_sample.cu. The tests find lines by their marks.
//
// No line may have the number of the line that calls it: for nvcc 13.0 the two are then one, even
// though their files differ.
#pragma once

__device__ __forceinline__ double inner_quotient(double a, double b) {
  return a / b;  // mark: division
}

__device__ __forceinline__ double quotient(double a, double b) {
  return inner_quotient(a, b + 3.0);  // mark: inner call
}

__device__ __forceinline__ double odd_lanes(double s) {
#pragma unroll
  for (int k = 0; k < 8; ++k) s = fma(s, 0.999, 1e-3);  // mark: odd lanes
  return s;
}
