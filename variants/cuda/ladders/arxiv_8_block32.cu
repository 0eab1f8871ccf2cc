// gpp8 of Yang 2020: 32 threads per block.
//
// A block is one warp: nobody waits for another, and registers are given out in the smallest parts.
//
// Made from arxiv_7_swapped.
// Operations: power2, pole at every term; m at every frequency.

#include "variants/cuda/support/strided_loops.cuh"

namespace gpp::cuda {

Sums arxiv_8_block32(const Problem& problem) { return sum_strided_bands<true, 32>(problem); }

}  // namespace gpp::cuda
