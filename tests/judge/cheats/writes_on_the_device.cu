// Cheat: halves a weight of its problem in device memory after its sums, for the next user.
//
// Stopped by: comparing.
// Outcome: foul.

#include "variants/cuda/v08_power2.cu"

namespace gpp::cuda {

namespace {

__global__ void halve(double* weight) { *weight /= 2; }

}  // namespace

Sums writes_on_the_device(const Problem& problem) {
  const Sums sums = power2(problem);
  halve<<<1, 1>>>(const_cast<double*>(problem.vcoul_loc.data));
  return sums;
}
GPP_VARIANT(writes_on_the_device);

}  // namespace gpp::cuda
