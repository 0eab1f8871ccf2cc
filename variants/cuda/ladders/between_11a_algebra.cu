// The first of five ideas between v10 and v11: the factored form.
//
// All that depends only on (ig, igp) leaves the loop over bands, and so does the branch of ssx:
// only four sums of m over the bands remain (gpp/forms/factored.h). Empty bands need two of them,
// so each class of bands has its own kernel. The few terms that the sums cannot hold are summed one
// by one (term_by_term.cuh). Blocks, groups and launches are those of v10.
//
// Made from v10_shared_memory.
// Operations: factored; m at every frequency.

#include "gpp/variant.h"
#include "variants/cuda/support/staged_bands.cuh"

namespace gpp::cuda {

Sums between_11a_algebra(const FactoredProblem& problem) {
  return sum_staged_bands<double, 1>(problem);
}
GPP_VARIANT(between_11a_algebra);

}  // namespace gpp::cuda
