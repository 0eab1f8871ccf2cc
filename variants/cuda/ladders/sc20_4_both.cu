// v4 of SC20 (Yang 2021): neither complex divisions nor square roots, v2 and v3 together.
//
// Made from sc20_2_reciprocal.
// Operations: power2, pole at every term; m once.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_4_both(const Problem& problem) {
  return sum_bands_outside<make_squared_pole<double>, power2<double>>(problem);
}
GPP_VARIANT(sc20_4_both);

}  // namespace gpp::cuda
