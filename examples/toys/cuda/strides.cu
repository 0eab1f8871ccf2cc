// One addition to each number, which neighbours read far from each other.

#include "examples/toys/numbers.h"
#include "runtimes/cuda/launch.h"

namespace gpp::toys::cuda {

/// Starts a kernel with one thread per number, and 64 threads per block.
static void launch_for_numbers(void (*kernel)(Numbers), const Numbers& numbers) {
  using namespace gpp::cuda;
  launch(kernel, Shape{blocks_for(numbers.n, rows_of_piece), rows_of_piece}, numbers);
}

// C: one addition to each number, read with a stride of 16 doubles.
//
// Each number is read once and written once. The threads of a warp write neighbouring numbers but
// read numbers 128 bytes apart, so each thread needs a sector, and most of a line, of its own.
//
// Operations: 1 fp64 per element; 16 bytes.
static __global__ void __launch_bounds__(rows_of_piece) stride_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * rows_of_piece + threadIdx.x;
  if (i >= numbers.n) return;
  const long long rows = numbers.n / stride;
  numbers.a[i] = numbers.b[i % rows * stride + i / rows] + summand;
}
void c_stride(const Numbers& numbers) { launch_for_numbers(stride_kernel, numbers); }
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
static __global__ void __launch_bounds__(rows_of_piece) near_kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * rows_of_piece + threadIdx.x;
  if (i >= numbers.n) return;
  constexpr long long piece = 1LL * rows_of_piece * step;
  const long long first = i / piece * piece, j = i - first;
  const long long rows = min(piece, numbers.n - first) / step;
  numbers.a[i] = numbers.b[first + j % rows * step + j / rows] + summand;
}
template <int step>
void c_near(const Numbers& numbers) {
  launch_for_numbers(near_kernel<step>, numbers);
}
GPP_VARIANT(c_near<16>);
GPP_VARIANT(c_near<4>);

}  // namespace gpp::toys::cuda
