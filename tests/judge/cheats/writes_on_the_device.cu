// Cheat: halves a weight of its problem in device memory after its sums, for the next user.
//
// Stopped by: comparing.
// Outcome: foul.

__global__ void halve(double* weight) { *weight /= 2; }

Sums writes_on_the_device(const Problem& problem) {
  const Sums sums = power2(problem);
  halve<<<1, 1>>>(const_cast<double*>(problem.vcoul_loc.data));
  return sums;
}
