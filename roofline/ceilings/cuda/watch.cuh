// Measures the clock of a multiprocessor while a kernel runs.
#pragma once

namespace roofline::gpu {

/// The cycles of one multiprocessor, and the device's time for them.
struct ClockReading {
  long long cycles;
  long long nanoseconds;
};

/// The data in device memory that a benchmark and the host exchange.
struct Board {
  ClockReading clock;  ///< cycles and time of the benchmark
  float zero;          ///< 0, unknown to the compiler; each volatile read counts as a new value
};

/// Reads the clock. One thread does so at the beginning and at the end of a kernel.
__device__ inline ClockReading read_clock() {
  ClockReading now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now.cycles));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now.nanoseconds));
  return now;
}

/// Uses the data that a benchmark reads, which the compiler would otherwise not read. All of it is
/// zero, which the compiler does not know.
struct Seen {
  uint4 bits;

  template <int loads>
  __device__ void add(const uint4 (&value)[loads]) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      bits.x ^= value[i].x;
      bits.y ^= value[i].y;
      bits.z ^= value[i].z;
      bits.w ^= value[i].w;
    }
  }
  __device__ void use(Board* board) const {
    if ((bits.x | bits.y | bits.z | bits.w) != 0) board->clock.cycles = 0;  // never true
  }
};

/// Stores the cycles and time since `start` for the host.
__device__ inline void leave_clock(ClockReading start, Board* board) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const ClockReading now = read_clock();
  board->clock = {now.cycles - start.cycles, now.nanoseconds - start.nanoseconds};
}

}  // namespace roofline::gpu
