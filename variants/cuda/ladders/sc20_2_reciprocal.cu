// v2 of SC20 (Yang 2021): complex divisions become reciprocals. The square roots stay.
//
// Made from sc20_1_baseline.
// Operations: reciprocal, pole at every term; m once.

#include "gpp/forms/reciprocal.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_2_reciprocal(const Problem& problem) {
  return sum_bands_outside<make_pole<double>, reciprocal<double>>(problem);
}
GPP_VARIANT(sc20_2_reciprocal);

}  // namespace gpp::cuda
