// v3: the tile in shared memory has one unused column.
//
// Shared memory has 32 banks, each one number wide. In v2 the numbers of a column lie 32 apart, all
// in one bank, which delivers them one after another. Here they lie 33 apart, each in its own bank.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/cuda/turned.cuh"

namespace gpp::transpose::cuda {

void padded(const Matrices& matrices) { launch_on_tiles<32>(turned_kernel<32, 33>, matrices); }
GPP_VARIANT(padded);

}  // namespace gpp::transpose::cuda
