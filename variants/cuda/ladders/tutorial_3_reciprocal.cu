// Patch 3 of the tutorial (NERSC 2020): neither complex divisions nor square roots.
//
// The ideas of v7 and v8 in one step, without v6: values that depend only on (ig, igp) are computed
// in every term, unless the compiler moves them.
//
// Made from tutorial_2_iw_outside.
// Operations: without_division_or_root; m at every frequency.

#include "gpp/forms/without_division_or_root.h"
#include "variants/cuda/support/tutorial_loops.cuh"

namespace gpp::cuda {

Sums tutorial_3_reciprocal(const Problem& problem) {
  return sum_pairs_per_frequency<without_division_or_root<double>, 128>(problem);
}
GPP_VARIANT(tutorial_3_reciprocal);

}  // namespace gpp::cuda
