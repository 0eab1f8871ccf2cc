// v4: tiles of 64 x 64 numbers.
//
// Two neighbouring warps read and write 256 bytes of a row instead of 128, so each opened row of
// DRAM delivers twice as much. Numbers of a column lie 65 apart in shared memory, in as many banks
// as before.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/turned.cuh"

namespace gpp::transpose::cuda {

void wide(const Matrices& matrices) { launch_on_tiles<64>(turned_kernel<64, 65>, matrices); }
GPP_VARIANT(wide);

}  // namespace gpp::transpose::cuda
