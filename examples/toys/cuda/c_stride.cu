// C: one addition to each number, read with a stride of 16 doubles.
//
// Each number is read once and written once. The threads of a warp write neighbouring numbers but
// read numbers 128 bytes apart, so each thread needs a sector, and most of a line, of its own.
//
// Operations: 1 fp64 per element; 16 bytes.

#include "examples/toys/numbers.h"
#include "runtimes/cuda/launch.h"

namespace gpp::toys::cuda {
namespace {

constexpr int threads_per_block = 64;

__global__ void __launch_bounds__(threads_per_block) kernel(Numbers numbers) {
  const long long i = 1LL * blockIdx.x * threads_per_block + threadIdx.x;
  if (i >= numbers.n) return;
  const long long rows = numbers.n / stride;
  numbers.a[i] = numbers.b[i % rows * stride + i / rows] + summand;
}

}  // namespace

void c_stride(const Numbers& numbers) {
  using namespace gpp::cuda;
  launch(kernel,
         Shape{blocks_for(static_cast<int>(numbers.n), threads_per_block), threads_per_block},
         numbers);
}
GPP_VARIANT(c_stride);

}  // namespace gpp::toys::cuda
