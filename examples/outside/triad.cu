#include "triad.h"

__device__ double x[n], y[n], z[n];

__global__ void triad() {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = y[i] + 3 * z[i];
}

std::string triad_on_gpu() {
  triad<<<n / 256, 256>>>();
  const cudaError_t status = cudaDeviceSynchronize();
  return status == cudaSuccess ? "" : cudaGetErrorString(status);
}
