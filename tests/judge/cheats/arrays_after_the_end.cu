// Cheat: returns before another stream has started to transpose the matrix.
//
// Kernel: transpose.
// Stopped by: idle device.
// Outcome: foul or wrong.

#include "examples/transpose/matrices.h"

namespace gpp::transpose::cuda {

namespace {

/// Waits like a large matrix, for some milliseconds.
__global__ void turn_late(Matrices matrices) {
  const auto timer = [] {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  };
  for (const long long start = timer(); timer() - start < 4'000'000;) {
  }
  for (int row = static_cast<int>(blockIdx.x); row < matrices.rows;
       row += static_cast<int>(gridDim.x))
    for (int column = static_cast<int>(threadIdx.x); column < matrices.columns;
         column += static_cast<int>(blockDim.x))
      matrices.out[column * matrices.rows + row] =
          matrices.in[static_cast<long long>(row) * matrices.columns + column];
}

}  // namespace

void arrays_after_the_end(const Matrices& matrices) {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  turn_late<<<128, 256, 0, stream>>>(matrices);
}
GPP_VARIANT(arrays_after_the_end);

}  // namespace gpp::transpose::cuda
