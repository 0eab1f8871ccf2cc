// v2 interleaved: the rows of neighbouring pairs lie side by side in global memory.
//
// The threads of a warp are at the same column of their pairs, so an access of the warp is one
// block of 256 bytes: 8 sectors instead of 32.

#include "examples/smith_waterman/cuda/strips.cuh"

namespace gpp::smith_waterman::cuda {

void interleaved(const Pairs& pairs) { align<1, true>(pairs); }
GPP_VARIANT(interleaved);

}  // namespace gpp::smith_waterman::cuda
