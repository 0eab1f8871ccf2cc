// A and B add to each number many times. C adds once to numbers that lie far from each other.

#include "examples/toys/numbers.h"
#include "runtimes/cuda/launch.h"

namespace gpp::toys::cuda {

constexpr int threads_per_block = rows_of_piece;

/// Each thread adds to one number, one addition after another.
static __global__ void __launch_bounds__(threads_per_block) additions_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * threads_per_block + threadIdx.x;
  if (i >= numbers.n) return;
  double x = numbers.b[i];
#pragma unroll 100
  for (int k = 0; k < additions; ++k) x += summand;
  numbers.a[i] = x;
}

// A: 10000 additions to each number, one thread per number.
//
// A number is read and written once, so there are 625 operations per byte. 32 blocks fit on a
// multiprocessor: while one warp waits for its last addition, others add.
//
// Operations: 10000 fp64 per element; 16 bytes.
void a_additions(const Numbers& numbers) {
  gpp::cuda::launch_for(numbers.n, threads_per_block, additions_kernel, numbers);
}
GPP_VARIANT(a_additions);

// B: the additions of A, with one block at a time on each multiprocessor.
//
// Each block reserves all shared memory that a block may have, and does not use it. No second block
// fits beside it, so two warps run where A had 64.
//
// Made from a_additions.
// Operations: 10000 fp64 per element; 16 bytes.
void b_one_block(const Numbers& numbers) {
  using namespace gpp::cuda;
  const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const Shape shape{blocks_for(numbers.n, threads_per_block), threads_per_block,
                    static_cast<std::size_t>(most)};
  launch(additions_kernel, shape, numbers);
}
GPP_VARIANT(b_one_block);

// C: one addition to each number, read with a stride of 16 doubles.
//
// Each number is read once and written once. The threads of a warp write neighbouring numbers but
// read numbers 128 bytes apart, so each thread needs a sector, and most of a line, of its own.
//
// Operations: 1 fp64 per element; 16 bytes.
static __global__ void __launch_bounds__(threads_per_block) stride_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * threads_per_block + threadIdx.x;
  if (i >= numbers.n) return;
  const long long rows = numbers.n / stride;
  numbers.a[i] = numbers.b[i % rows * stride + i / rows] + summand;
}
void c_stride(const Numbers& numbers) {
  gpp::cuda::launch_for(numbers.n, threads_per_block, stride_kernel, numbers);
}
GPP_VARIANT(c_stride);

// c_near_N: C with a stride of N doubles, where the rest of each line is read soon after.
//
// The array is cut into pieces of N blocks. The first block of a piece reads every Nth number of
// it, the next block the numbers beside those, so blocks that share lines run one after the other.
// N = 16 is the code of the tutorial's toy C; N = 4 is its text: 32 bytes from thread to thread.
//
// Made from c_stride.
// Operations: 1 fp64 per element; 16 bytes.
template <int step>
static __global__ void __launch_bounds__(threads_per_block) near_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * threads_per_block + threadIdx.x;
  if (i >= numbers.n) return;
  constexpr long long piece = 1LL * rows_of_piece * step;
  const long long first = i / piece * piece, j = i - first;
  const long long rows = min(piece, numbers.n - first) / step;
  numbers.a[i] = numbers.b[first + j % rows * step + j / rows] + summand;
}
template <int step>
void c_near(const Numbers& numbers) {
  gpp::cuda::launch_for(numbers.n, threads_per_block, near_kernel<step>, numbers);
}
GPP_VARIANT(c_near<16>);
GPP_VARIANT(c_near<4>);

}  // namespace gpp::toys::cuda
