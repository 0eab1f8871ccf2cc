// copy: out = in, row by row: the upper limit for a transpose.
//
// It moves the bytes of a transpose in their order. Each thread reads four numbers before it writes
// the first, so four are in flight, and all warps read and write 128 contiguous bytes.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/matrices.h"
#include "runtimes/cuda/launch.h"

namespace gpp::transpose::cuda {
namespace {

constexpr int threads = 256;
constexpr int each = 4;  // numbers moved per thread

__global__ void __launch_bounds__(threads) kernel(Matrices matrices) {
  const long long count = static_cast<long long>(matrices.rows) * matrices.columns;
  const long long first = static_cast<long long>(blockIdx.x) * (threads * each) + threadIdx.x;
  float numbers[each];
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (const long long i = first + k * threads; i < count) numbers[k] = matrices.in[i];
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (const long long i = first + k * threads; i < count) matrices.out[i] = numbers[k];
}

}  // namespace

void copy(const Matrices& matrices) {
  const long long count = static_cast<long long>(matrices.rows) * matrices.columns;
  gpp::cuda::launch(kernel, {gpp::cuda::blocks_for(count, threads * each), threads}, matrices);
}
GPP_VARIANT(copy);

}  // namespace gpp::transpose::cuda
