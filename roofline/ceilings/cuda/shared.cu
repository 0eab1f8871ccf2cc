// Shared memory: volatile, so that every load is done.
#include "roofline/ceilings/cuda/bandwidth.h"
#include "roofline/ceilings/cuda/watch.cuh"

namespace roofline::gpu {
namespace {

constexpr int threads = 256;
constexpr int loads = 8;  // written out; each of 16 bytes a thread
constexpr int row = threads * 16;

__global__ void __launch_bounds__(threads) read_shared(int steps, unsigned zero, Board* board) {
  __shared__ uint4 data[loads * threads];
  const ClockReading start = read_clock();
  for (int i = 0; i < loads; ++i)
    data[i * threads + threadIdx.x] = make_uint4(zero, zero, zero, zero);
  __syncthreads();
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&data[threadIdx.x]));
  Seen seen{make_uint4(zero, zero, zero, zero)};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    uint4 value[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i)
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(value[i].x), "=r"(value[i].y), "=r"(value[i].z), "=r"(value[i].w)
                   : "r"(address + i * row));
    seen.add(value);
  }
  seen.use(board);
  leave_clock(start, board);
}

}  // namespace

Rate measure_shared(Stopwatch& stopwatch) {
  const int blocks = resident_blocks(reinterpret_cast<const void*>(&read_shared), threads);
  const Launch launch = [blocks](long long steps, Board* board) {
    read_shared<<<blocks, threads>>>(static_cast<int>(steps), 0, board);
  };
  const long long steps = stopwatch.steps_for(4e-3, launch);
  const Best best = stopwatch.best_of(5, steps, launch);
  const double bytes = static_cast<double>(blocks) * static_cast<double>(steps) * loads * row;
  return {bytes / best.seconds, best.clock_mhz};
}

}  // namespace roofline::gpu
