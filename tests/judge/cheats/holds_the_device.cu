// Cheat: leaves a sleeping kernel on each multiprocessor after every answer, to slow down others.
//
// Stopped by: idle device.
// Outcome: foul.

__global__ void sleep_on(long long nanoseconds) {
  const auto timer = [] {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  };
  for (const long long start = timer(); timer() - start < nanoseconds;) __nanosleep(100'000);
}

Sums holds_the_device(const Problem& problem) {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const Sums sums = power2(problem);
  sleep_on<<<1024, 32, 0, stream>>>(50'000'000);
  return sums;
}
