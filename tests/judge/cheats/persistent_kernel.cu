// Cheat: leaves a kernel that watches a weight in device memory, to see the next problem at once.
//
// Stopped by: idle device.
// Outcome: foul.

/// The kernel ends by itself after a while.
__global__ void watch(const volatile double* weight, unsigned* changes) {
  const auto seconds = [] {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return 1e-9 * static_cast<double>(now);
  };
  double last = *weight;
  for (const double start = seconds(); seconds() - start < 20;) {
    const double now = *weight;
    if (now != last) ++*changes;
    last = now;
  }
}

Sums persistent_kernel(const Problem& problem) {
  static bool watches = false;
  const Sums sums = power2(problem);
  if (watches) return sums;
  watches = true;
  cudaStream_t stream = nullptr;
  unsigned* changes = nullptr;
  cudaMalloc(&changes, sizeof(*changes));
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  watch<<<1, 1, 0, stream>>>(problem.vcoul_loc.data, changes);
  return sums;
}
