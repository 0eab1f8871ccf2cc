// Independent chains of dependent operations, kept in registers.
#pragma once

#include "roofline/ceilings/cuda/arithmetic.h"
#include "roofline/ceilings/cuda/watch.cuh"

namespace roofline::gpu {

/// Does `steps` steps of the work in every thread. A Work defines
///   unroll              the number of its steps in one pass of the loop,
///   blocks              per multiprocessor, which limits registers: 4 leave 64 per thread,
///   begin(zero)         initial registers, unknown to the compiler: Board::zero,
///   step()              its operations, as PTX that the compiler can neither merge nor remove,
///   end()               a number that depends on all registers.
template <typename Work>
__global__ void __launch_bounds__(arithmetic_threads, Work::blocks)
    chains_kernel(int steps, Board* board) {
  const ClockReading start = read_clock();
  Work work;
  work.begin(&board->zero);
#pragma unroll 1
  for (int step = 0; step < steps; step += Work::unroll) {
#pragma unroll
    for (int i = 0; i < Work::unroll; ++i) work.step();
  }
  if (work.end() == 1.2345e30f) board->clock.cycles = 0;  // never true
  leave_clock(start, board);
}

/// The number of steps is a multiple of the unrolled loop.
template <typename Work>
void launch_chains(int blocks, long long rounds, Board* board) {
  chains_kernel<Work>
      <<<blocks, arithmetic_threads>>>(static_cast<int>(rounds) * Work::unroll, board);
}

template <typename Work>
ArithmeticKernel row_of(const char* name, const char* label, const std::string& definition,
                        PipeRate fma, double flop_per_fma, int needs_code_of) {
  return {name,
          label,
          definition,
          reinterpret_cast<const void*>(&chains_kernel<Work>),
          &launch_chains<Work>,
          Work::unroll * Work::flop_per_step,
          fma,
          flop_per_fma,
          needs_code_of};
}

}  // namespace roofline::gpu
