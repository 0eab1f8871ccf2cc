// gpp2 of Yang 2020: fewer branches.
//
// Results start at zero, so that the branch that only stores zeros is not needed. Nothing else
// changes: each term still computes its pole's data.
//
// Made from arxiv_1_reciprocal.
// Operations: reciprocal, pole at every term; m at every frequency.

#include "gpp/forms/reciprocal.h"
#include "variants/cuda/support/public_loops.cuh"

namespace gpp::cuda {

Sums arxiv_2_branches(const Problem& problem) {
  return sum_triples<detail::with_pole<make_pole<double>, reciprocal<double>>>(problem);
}
GPP_VARIANT(arxiv_2_branches);

}  // namespace gpp::cuda
