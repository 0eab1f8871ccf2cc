// v1 of SC20 (Yang 2021): the baseline "with certain optimizations included retrospectively".
//
// The source does not name them. Assumed here are two that SC19's ladder has and SC20's lacks:
// indices swapped (v5) and simplified code (v6). The loop over frequencies is inside, as in the
// talk's code of a call, and the launch is that of v1.
//
// Made from v1_collapse3.
// Operations: simplified, pole at every term; m once.

#include "gpp/forms/simplified.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_1_baseline(const Problem& problem) {
  return sum_bands_outside<make_pole<double>, simplified<double>>(problem);
}
GPP_VARIANT(sc20_1_baseline);

}  // namespace gpp::cuda
