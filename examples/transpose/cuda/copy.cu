// copy: out = in, row by row: what a transpose could reach at best.
//
// It moves the bytes of a transpose without turning them. Each thread copies four numbers, and all
// warps read and write 128 bytes in a row.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/matrices.h"
#include "runtimes/cuda/launch.h"

namespace gpp::transpose::cuda {
namespace {

constexpr int threads = 256;
constexpr int each = 4;  // numbers of a thread

__global__ void __launch_bounds__(threads) copy_kernel(Matrices matrices) {
  const long long count = static_cast<long long>(matrices.rows) * matrices.columns;
  const long long first = static_cast<long long>(blockIdx.x) * (threads * each) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const long long i = first + k * threads;
    if (i < count) matrices.out[i] = matrices.in[i];
  }
}

}  // namespace

void copy(const Matrices& matrices) {
  const long long count = static_cast<long long>(matrices.rows) * matrices.columns;
  const auto blocks = static_cast<unsigned>((count + threads * each - 1) / (threads * each));
  gpp::cuda::launch(copy_kernel, {blocks, threads}, matrices);
}

}  // namespace gpp::transpose::cuda
