// The clock of a multiprocessor while a kernel runs.
#pragma once

namespace roofline::gpu {

/// Cycles of one multiprocessor, and the device's own time for them.
struct ClockReading {
  long long cycles;
  long long nanoseconds;
};

/// The data that a benchmark and the host exchange, in device memory.
struct Board {
  ClockReading clock;  ///< what passed while the benchmark ran
  /// 0, which the compiler does not know; each volatile read is another number to it. 1 where power
  /// is measured: wires and multipliers take energy where bits change, and zeros have none.
  float zero;
};

/// Bits without a pattern, others for each place and each thread.
__device__ inline unsigned scattered_bits(unsigned place) {
  unsigned bits = (blockIdx.x * 1024 + threadIdx.x) * 64 + place;  // lowbias32, Wellons 2018
  bits = (bits ^ bits >> 16) * 0x7feb352dU;
  bits = (bits ^ bits >> 15) * 0x846ca68bU;
  return bits ^ bits >> 16;
}

/// A number between 1 and 2 of either sign.
__device__ inline double scattered(unsigned place) {
  const unsigned high = scattered_bits(2 * place), low = scattered_bits(2 * place + 1);
  return __hiloint2double(static_cast<int>((high & 0x800fffffU) | 0x3ff00000U),
                          static_cast<int>(low));
}

/// Read at the beginning and at the end of a kernel by one thread.
__device__ inline ClockReading read_clock() {
  ClockReading now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now.cycles));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now.nanoseconds));
  return now;
}

/// Uses the data that a benchmark reads: unused, it would not be read. It is all zero, which the
/// compiler does not know, or nobody asks for the clock.
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
    if ((bits.x | bits.y | bits.z | bits.w) != 0) board->clock.cycles = 0;  // never
  }
};

/// Leaves what passed since `start` where the host can read it.
__device__ inline void leave_clock(ClockReading start, Board* board) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const ClockReading now = read_clock();
  board->clock = {now.cycles - start.cycles, now.nanoseconds - start.nanoseconds};
}

}  // namespace roofline::gpu
