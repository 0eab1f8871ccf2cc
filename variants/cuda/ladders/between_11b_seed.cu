// The second of five ideas between v10 and v11: a reciprocal starts from the hardware's seed.
//
// One reciprocal per term remains. The compiler's version has a branch for denormal and infinite
// arguments, which energies never are; this one has no branch (device_double.cuh).
//
// Made from between_11a_algebra.
// Operations: factored; m at every frequency.

#include "gpp/variant.h"
#include "variants/cuda/support/staged_bands.cuh"

namespace gpp::cuda {

Sums between_11b_seed(const FactoredProblem& problem) {
  return sum_staged_bands<DeviceDouble, 1>(problem);
}
GPP_VARIANT(between_11b_seed);

}  // namespace gpp::cuda
