// v3 of SC20 (Yang 2021): square roots become squares. The complex divisions stay.
//
// It is the other half of v4 there, and is compared with v1, not with v2.
//
// Made from sc20_1_baseline.
// Operations: without_root, pole at every term; m once.

#include "gpp/forms/without_root.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_3_power2(const Problem& problem) {
  return sum_bands_outside<make_squared_pole<double>, without_root<double>>(problem);
}
GPP_VARIANT(sc20_3_power2);

}  // namespace gpp::cuda
