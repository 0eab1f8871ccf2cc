// Many additions to each number.

#include "examples/toys/numbers.h"
#include "runtimes/cuda/launch.h"

namespace gpp::toys::cuda {

constexpr int threads_per_block = 64;

/// Each thread adds to one number, one addition after another.
static __global__ void __launch_bounds__(threads_per_block) additions_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * threads_per_block + threadIdx.x;
  if (i >= numbers.n) return;
  double x = numbers.b[i];
#pragma unroll 100
  for (int k = 0; k < additions; ++k) x += summand;
  numbers.a[i] = x;
}

/// `shared` is the shared memory in bytes that each block reserves without using it.
static void add_often(const Numbers& numbers, std::size_t shared) {
  using namespace gpp::cuda;
  launch(additions_kernel,
         Shape{blocks_for(numbers.n, threads_per_block), threads_per_block, shared}, numbers);
}

// A: 10000 additions to each number, one thread per number.
//
// A number is read and written once, so there are 625 operations per byte. 32 blocks fit on a
// multiprocessor: while one warp waits for its last addition, others add.
//
// Operations: 10000 fp64 per element; 16 bytes.
void a_additions(const Numbers& numbers) { add_often(numbers, 0); }
GPP_VARIANT(a_additions);

// B: the additions of A, with one block at a time on each multiprocessor.
//
// Each block reserves all shared memory that a block may have, and does not use it. No second block
// fits beside it, so two warps run where A had 64.
//
// Made from a_additions.
// Operations: 10000 fp64 per element; 16 bytes.
void b_one_block(const Numbers& numbers) {
  const int most = gpp::cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  add_often(numbers, static_cast<std::size_t>(most));
}
GPP_VARIANT(b_one_block);

}  // namespace gpp::toys::cuda
