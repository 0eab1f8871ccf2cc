// gpp3 of Yang 2020: absolute values are compared by their squares.
//
// The idea of v8, with the loops of v1.
//
// Made from arxiv_2_branches.
// Operations: power2, pole at every term; m at every frequency.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/public_loops.cuh"

namespace gpp::cuda {
namespace {

__device__ Term<double> term(Complex wtilde, Complex I_eps, double wx, const Limits& limits) {
  return power2(make_squared_pole(wtilde, I_eps, limits), wx, limits);
}

}  // namespace

Sums arxiv_3_power2(const Problem& problem) { return sum_triples<term>(problem); }
GPP_VARIANT(arxiv_3_power2);

}  // namespace gpp::cuda
