// gpp1 of Yang 2020: complex divisions become reciprocals; v1's loops stay.
//
// Made from arxiv_0_collapse3.
// Operations: without_division; m at every frequency.

#include "gpp/forms/without_division.h"
#include "variants/cuda/support/public_loops.cuh"

namespace gpp::cuda {

Sums arxiv_1_reciprocal(const Problem& problem) {
  return sum_triples<without_division<double>>(problem);
}
GPP_VARIANT(arxiv_1_reciprocal);

}  // namespace gpp::cuda
