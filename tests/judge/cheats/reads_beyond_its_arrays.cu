// Cheat: reads device memory beyond its arrays, until it finds another process's.
//
// Stopped by: address spaces.
// Outcome: ends.

#include <cstddef>

__global__ void read_on(const char* start, std::size_t step, double* found) {
  for (std::size_t i = 0; i < (std::size_t{64} << 30); i += step)
    *found += *reinterpret_cast<const double*>(start + i);
}

Sums reads_beyond_its_arrays(const Problem& problem) {
  const Sums sums = power2(problem);
  double* found = nullptr;
  cudaMalloc(&found, sizeof(*found));
  read_on<<<1, 1>>>(reinterpret_cast<const char*>(problem.vcoul_loc.data), std::size_t{2} << 20,
                    found);
  check(cudaDeviceSynchronize(), "reading on");
  return sums;
}
