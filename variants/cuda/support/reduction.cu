#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

void* allocate_poisoned(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, nullptr), "allocating memory for partial sums");
  check(cudaMemsetAsync(memory, 0xff, bytes), "poisoning the partial sums");
  return memory;
}

void release(void* memory) { cudaFreeAsync(memory, nullptr); }

}  // namespace gpp::cuda
