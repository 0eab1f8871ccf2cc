// A kernel that launches a kernel itself, three times. Such modules are compiled in parts, and
// CUPTI does not instrument them.
#include <cuda_runtime.h>

namespace sample {
__global__ void child_kernel(float* x) { x[threadIdx.x] += 1.0f; }
__global__ void parent_kernel(float* x) {
  if (threadIdx.x == 0) child_kernel<<<1, 32>>>(x);
}
}  // namespace sample

int main() {
  float* x = nullptr;
  if (cudaMalloc(&x, 32 * sizeof(float)) != cudaSuccess) return 1;
  for (int i = 0; i < 3; ++i) sample::parent_kernel<<<1, 32>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
