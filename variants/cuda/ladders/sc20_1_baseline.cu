// v1 of SC20 (Yang 2021): the baseline "with certain optimizations included retrospectively".
//
// Which ones it does not tell. Taken here are two that SC19's ladder has and SC20's list lacks:
// indices swapped (v5) and simplified code (v6). The loop over frequencies is inside, as the talk's
// code of a call has it, and the launch is v1's.
//
// Made from v1_collapse3.
// Operations: simplified, pole at every term; m once.

#include "gpp/forms/simplified.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_1_baseline(const Problem& problem) {
  return sum_bands_outside<make_pole<double>, simplified<double>>(problem);
}

}  // namespace gpp::cuda
