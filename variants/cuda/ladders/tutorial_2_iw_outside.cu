// Patch 2 of the tutorial (NERSC 2020): one launch per frequency.
//
// The idea of v4, applied to v2: the blocks still have 128 threads.
//
// Made from v2_collapse2.
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "variants/cuda/support/tutorial_loops.cuh"

namespace gpp::cuda {

Sums tutorial_2_iw_outside(const Problem& problem) {
  return sum_pairs_per_frequency<divide<double>, 128>(problem);
}
GPP_VARIANT(tutorial_2_iw_outside);

}  // namespace gpp::cuda
