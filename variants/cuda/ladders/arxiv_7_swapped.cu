// gpp7 of Yang 2020: wx and aqsm are stored with the band as the fastest index.
//
// The idea of v5. But a thread's bands are 64 apart now, and so are the numbers that it reads.
//
// Made from arxiv_6_blocked.
// Operations: power2, pole at every term; m at every frequency.

#include "variants/cuda/support/strided_loops.cuh"

namespace gpp::cuda {

Sums arxiv_7_swapped(const Problem& problem) { return sum_strided_bands<true, 128>(problem); }
GPP_VARIANT(arxiv_7_swapped);

}  // namespace gpp::cuda
