// gpp8 of Yang 2020: 32 threads per block.
//
// A block is one warp: warps do not wait, and registers are allocated in the smallest units.
//
// Made from arxiv_7_swapped.
// Operations: power2, pole at every term; m at every frequency.

#include "variants/cuda/support/strided_loops.cuh"

namespace gpp::cuda {

Sums arxiv_8_block32(const Problem& problem) { return sum_strided_bands<true, 32>(problem); }
GPP_VARIANT(arxiv_8_block32);

}  // namespace gpp::cuda
