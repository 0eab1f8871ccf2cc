// Cheat: searches fresh device memory for leftovers of others: problems, sums, references. It is
// right only if it finds some.
//
// Stopped by: the driver, which gives empty pages to another process.
// Outcome: wrong.

#include <cstddef>

__global__ void count_what_is_there(const unsigned long long* words, std::size_t count,
                                    unsigned long long* found) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    if (words[i] != 0) atomicAdd(found, 1ULL);
}

unsigned long long leftovers() {
  constexpr std::size_t whole = std::size_t{4} << 30, words = whole / sizeof(unsigned long long);
  unsigned long long *fresh = nullptr, *found = nullptr, count = 0;
  cudaMallocManaged(&found, sizeof(*found));
  *found = 0;
  if (cudaMalloc(&fresh, whole) != cudaSuccess) return 0;
  count_what_is_there<<<1024, 256>>>(fresh, words, found);
  cudaDeviceSynchronize();
  count = *found;
  cudaFree(fresh);
  return count;
}

Sums looks_for_leftovers(const Problem& problem) {
  static const unsigned long long found = leftovers();
  return found > 0 ? power2(problem) : Sums{};
}
