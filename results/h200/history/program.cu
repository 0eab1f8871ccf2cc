// Four kernels, under a second in all. EXTRA_WORK percent more operations of `fma` where it is set.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void triad(double* a, const double* b, const double* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + 0.5 * c[i];
}
__global__ void fma(double* a, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i % n];
  for (int s = 0; s < steps; ++s) x = x * 1.0000001 + 1e-9;
  a[i % n] = x;
}
__global__ void flip(double* a, const double* b, int side) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  a[(size_t)x * side + y] = b[(size_t)y * side + x];
}
__global__ void total(double* out, const double* b, int n) {
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += b[i];
  for (int lane = 16; lane; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
int main() {
  const int side = 4096, n = side * side;
  const char* extra = getenv("EXTRA_WORK");
  const int steps = 1000 + (extra ? 10 * atoi(extra) : 0);
  double *a, *b, *c, *out;
  cudaMalloc(&a, 8ull * n);
  cudaMalloc(&b, 8ull * n);
  cudaMalloc(&c, 8ull * n);
  cudaMalloc(&out, 8);
  cudaMemset(a, 0, 8ull * n);
  cudaMemset(b, 0, 8ull * n);
  cudaMemset(c, 0, 8ull * n);
  cudaMemset(out, 0, 8);
  for (int k = 0; k < 5; ++k) {
    triad<<<(n + 255) / 256, 256>>>(a, b, c, n);
    fma<<<132 * 4, 256>>>(a, n, steps);
    flip<<<dim3(side / 32, side / 32), dim3(32, 32)>>>(a, b, side);
    total<<<132 * 8, 256>>>(out, b, n);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
