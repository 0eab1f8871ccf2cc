// B: the additions of A, with one block at a time on each multiprocessor.
//
// Each block reserves all shared memory that a block may have, and does not use it. No second block
// fits beside it, so two warps run where A had 64.
//
// Made from a_additions.
// Operations: 10000 fp64 per element; 16 bytes.

#include "examples/toys/cuda/additions.cuh"

namespace gpp::toys::cuda {

void b_one_block(const Numbers& numbers) {
  int device = 0, most = 0;
  gpp::cuda::check(cudaGetDevice(&device), "asking for the device");
  gpp::cuda::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                   "asking for the shared memory of a block");
  add_often(numbers, static_cast<std::size_t>(most));
}
GPP_VARIANT(b_one_block);

}  // namespace gpp::toys::cuda
