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
namespace {

__device__ Term<double> term(Complex wtilde, Complex I_eps, double wx, const Limits& limits) {
  return power2(make_squared_pole(wtilde, I_eps, limits), wx, limits);
}

}  // namespace

Sums arxiv_4_collapse2(const Problem& problem) { return sum_pairs<term>(problem); }
GPP_VARIANT(arxiv_4_collapse2);

}  // namespace gpp::cuda
