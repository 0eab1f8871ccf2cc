// B: the additions of A, with one block at a time on each multiprocessor.
//
// Each block asks for all the shared memory that one may have, and uses none of it. No second block
// fits beside it: two warps are left where A had 64.
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

}  // namespace gpp::toys::cuda
