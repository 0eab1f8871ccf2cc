// gpp0 of Yang 2020, the start of its ladder: all three loops run in parallel.
//
// v1 with the loads and m inside the loop over frequencies, as in the public code.
//
// Made from v1_collapse3.
// Operations: divide; m at every frequency.

#include "gpp/forms/divide.h"
#include "variants/cuda/support/public_loops.cuh"

namespace gpp::cuda {

Sums arxiv_0_collapse3(const Problem& problem) { return sum_triples<divide<double>>(problem); }
GPP_VARIANT(arxiv_0_collapse3);

}  // namespace gpp::cuda
