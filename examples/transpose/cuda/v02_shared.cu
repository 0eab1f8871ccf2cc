// v2: each tile is transposed in shared memory.
//
// A block reads its tile along the rows of `in`, waits until it is complete, and writes it along
// the rows of `out`. So warps read and write neighbouring numbers, and access columns only in
// shared memory.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/turned.cuh"

namespace gpp::transpose::cuda {

void shared(const Matrices& matrices) { launch_on_tiles<32>(turned_kernel<32, 32>, matrices); }
GPP_VARIANT(shared);

}  // namespace gpp::transpose::cuda
