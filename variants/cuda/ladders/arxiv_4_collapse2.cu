// gpp4 of Yang 2020: each thread has its own loop over bands.
//
// The idea of v2, after the arithmetic instead of before it. Sums stay in registers. Each term
// still loads its own data.
//
// Made from arxiv_3_power2.
// Operations: power2, pole at every term; m at every frequency.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/public_loops.cuh"

namespace gpp::cuda {

Sums arxiv_4_collapse2(const Problem& problem) {
  return sum_pairs<detail::with_pole<make_squared_pole<double>, power2<double>>>(problem);
}
GPP_VARIANT(arxiv_4_collapse2);

}  // namespace gpp::cuda
