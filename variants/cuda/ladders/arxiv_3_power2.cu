// gpp3 of Yang 2020: absolute values are compared by their squares.
//
// The idea of v8, with the loops of v1.
//
// Made from arxiv_2_branches.
// Operations: power2, pole at every term; m at every frequency.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/public_loops.cuh"

namespace gpp::cuda {

Sums arxiv_3_power2(const Problem& problem) {
  return sum_triples<detail::with_pole<make_squared_pole<double>, power2<double>>>(problem);
}
GPP_VARIANT(arxiv_3_power2);

}  // namespace gpp::cuda
