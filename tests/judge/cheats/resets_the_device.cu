// Cheat: resets the device in a run, to destroy other processes' data and the referee's.
//
// Stopped by: processes of their own.
// Outcome: ends.

Sums resets_the_device(const Problem& problem) {
  const Sums sums = power2(problem);
  cudaDeviceReset();
  return sums;
}
