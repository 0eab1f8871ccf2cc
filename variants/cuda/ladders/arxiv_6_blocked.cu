// gpp6 of Yang 2020: ig and n1 are blocked by 128 and 64, which are strides.
//
// A thread has its own first ig, its own first band and one igp, and steps through G by 128 and
// through bands by 64: the bands are split across threads. Blocks that run at the same time share
// one or two first bands, and caches need hold no more of aqsn than the bands behind those.
//
// Made from arxiv_5_iw_outside.
// Operations: power2, pole at every term; m at every frequency.

#include "variants/cuda/support/strided_loops.cuh"

namespace gpp::cuda {

Sums arxiv_6_blocked(const Problem& problem) { return sum_strided_bands<false, 128>(problem); }

}  // namespace gpp::cuda
