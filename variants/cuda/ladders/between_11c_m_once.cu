// The third of five ideas between v10 and v11: m once for all frequencies.
//
// v4 separated the frequencies because a thread had too many sums. Now only four per frequency
// remain, so a thread keeps those of all frequencies, and m and the loads of a band are shared. The
// number of frequencies is a constant of the kernel, so that sums are in registers.
//
// Made from between_11b_seed.
// Operations: factored; m once.

#include "gpp/variant.h"
#include "variants/cuda/support/staged_bands.cuh"

namespace gpp::cuda {

Sums between_11c_m_once(const FactoredProblem& problem) {
  if (problem.nfreq == 1) return sum_staged_bands<DeviceDouble, 1>(problem);
  if (problem.nfreq == 2) return sum_staged_bands<DeviceDouble, 2>(problem);
  return sum_staged_bands<DeviceDouble, 3>(problem);
}
GPP_VARIANT(between_11c_m_once);

}  // namespace gpp::cuda
