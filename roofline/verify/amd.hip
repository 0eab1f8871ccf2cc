// The kernels of known answers for AMD's GPUs, those of plain_kernels.cuh. It is no part of the
// build: hipcc -O3 -std=c++20 -I. roofline/verify/amd.hip -o known-answers-amd
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "roofline/verify/plain_kernels.cuh"

namespace {

using namespace roofline::known;

void check(hipError_t status) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "known-answers-amd: %s\n", hipGetErrorString(status));
  std::exit(1);
}

/// Memory for one kernel, which is launched once.
template <class T, class Launch>
void run(std::size_t size, Launch launch) {
  T* memory = nullptr;
  check(hipMalloc(reinterpret_cast<void**>(&memory), size * sizeof(T)));
  check(hipMemset(memory, 0, size * sizeof(T)));
  launch(memory);
  check(hipGetLastError());
  check(hipDeviceSynchronize());
  check(hipFree(memory));
}

}  // namespace

int main() {
  constexpr std::size_t copied = streamed / 4;
  constexpr std::size_t chained = static_cast<std::size_t>(chain.blocks) * chain.threads;
  run<double>(2 * streamed, [](double* x) {
    known_daxpy<<<blocks_for(streamed), threads_per_block>>>(streamed, 2, x, x + streamed);
  });
  run<double>(streamed + copied, [](double* from) {
    known_strided_copy<<<blocks_for(copied), threads_per_block>>>(copied, from, from + streamed);
  });
  run<double>(chained, [](double* out) {
    known_dfma<<<chain.blocks, chain.threads>>>(chain.length, out);
  });
  run<float>(chained, [](float* out) {
    known_ffma<<<chain.blocks, chain.threads>>>(chain.length, out);
  });
  run<double>(chained, [](double* out) {
    known_shared<<<chain.blocks, chain.threads>>>(chain.length, out);
  });
  return 0;
}
