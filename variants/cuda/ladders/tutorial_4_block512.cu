// Patch 4 of the tutorial (NERSC 2020): 512 threads per block.
//
// The idea of v3 as the last step, when the loop needs fewer registers than in v3.
//
// Made from tutorial_3_reciprocal.
// Operations: without_division_or_root; m at every frequency.

#include "gpp/forms/without_division_or_root.h"
#include "variants/cuda/support/tutorial_loops.cuh"

namespace gpp::cuda {

Sums tutorial_4_block512(const Problem& problem) {
  return sum_pairs_per_frequency<without_division_or_root<double>, 512>(problem);
}
GPP_VARIANT(tutorial_4_block512);

}  // namespace gpp::cuda
