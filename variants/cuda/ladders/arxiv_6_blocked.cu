// gpp6 of Yang 2020: blocks of 128 in ig and 64 in n1, used as strides.
//
// A thread has its own first ig, its own first band and one igp, and steps through G by 128 and
// through bands by 64, so bands are split across threads. Blocks that run at the same time share
// one or two first bands, so caches need to hold only the bands of aqsn that follow from those.
//
// Made from arxiv_5_iw_outside.
// Operations: power2, pole at every term; m at every frequency.

#include "variants/cuda/support/strided_loops.cuh"

namespace gpp::cuda {

Sums arxiv_6_blocked(const Problem& problem) { return sum_strided_bands<false, 128>(problem); }
GPP_VARIANT(arxiv_6_blocked);

}  // namespace gpp::cuda
