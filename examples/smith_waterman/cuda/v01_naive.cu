// v1 naive: one thread aligns one pair, cell after cell, row after row.
//
// The row that is passed on lies in global memory, one pair after the other. The threads of a warp
// are a whole row apart, so each access takes a sector of 32 bytes per thread.

#include "examples/smith_waterman/cuda/strips.cuh"

namespace gpp::smith_waterman::cuda {

void naive(const Pairs& pairs) { align<1, false>(pairs); }
GPP_VARIANT(naive);

}  // namespace gpp::smith_waterman::cuda
