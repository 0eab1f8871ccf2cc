// v3 strips: a thread takes 16 rows at once, column after column, and keeps them in registers.
//
// Only the last row of a strip goes through global memory, a sixteenth of the bytes.

#include "examples/smith_waterman/cuda/strips.cuh"

namespace gpp::smith_waterman::cuda {

void strips(const Pairs& pairs) { align<16, true>(pairs); }
GPP_VARIANT(strips);

}  // namespace gpp::smith_waterman::cuda
