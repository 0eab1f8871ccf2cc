// Global memory: one kernel reads every working set.
#include <algorithm>
#include <cmath>

#include "roofline/ceilings/cuda/bandwidth.h"
#include "roofline/ceilings/cuda/error.h"
#include "roofline/ceilings/cuda/watch.cuh"

namespace roofline::gpu {
namespace {

constexpr int threads = 1024;  // one block fills a multiprocessor as far as reading needs it
constexpr int readers = 4;     // parts of a block, each with a place of its own in the set
constexpr int reader_threads = threads / readers;
constexpr int loads = 4;  // in flight, of 16 bytes a thread
constexpr std::size_t batch = std::size_t{loads} * reader_threads * 16;  // bytes read at once
constexpr double seconds_per_run = 1.5e-3;
constexpr int runs = 5;
/// Below it, a reader reads batch after batch, and no multiprocessor meets a batch again before its
/// readers together have read as much as the whole set holds. Far above L2 neighbouring readers
/// read neighbouring batches, as streams do.
constexpr std::size_t stream_from = std::size_t{128} << 20;

/// Where a reader begins: neighbours one batch apart, or (at stride 1) the readers of a block
/// spread evenly over the set, from a place that has nothing to do with its neighbours':
/// multiprocessors that read the same at the same time would be served together, once, before L2.
__device__ unsigned first_batch(unsigned batches, unsigned stride) {
  const unsigned reader = threadIdx.x / reader_threads;
  if (stride != 1) return blockIdx.x * readers + reader;
  const unsigned scattered = blockIdx.x * 2654435769u;  // 2^32 / golden ratio
  const auto share =
      static_cast<unsigned>(static_cast<unsigned long long>(reader) * batches / readers);
  return (scattered % batches + share) % batches;
}

/// Every reader reads `count` batches of a set of `batches`, going on by `stride`.
__global__ void __launch_bounds__(threads, 1)
    read_global(const uint4* data, unsigned batches, unsigned stride, int count, Board* board) {
  const ClockReading start = read_clock();
  uint4 seen = make_uint4(0, 0, 0, 0);
  unsigned at = first_batch(batches, stride);
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const uint4* from = data + static_cast<std::size_t>(at) * (loads * reader_threads) +
                        threadIdx.x % reader_threads;
    uint4 value[loads];
#pragma unroll
    for (int j = 0; j < loads; ++j)
      asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(value[j].x), "=r"(value[j].y), "=r"(value[j].z), "=r"(value[j].w)
                   : "l"(from + j * reader_threads));
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      seen.x ^= value[j].x;
      seen.y ^= value[j].y;
      seen.z ^= value[j].z;
      seen.w ^= value[j].w;
    }
    at += stride;
    if (at >= batches) at -= batches;
  }
  if ((seen.x | seen.y | seen.z | seen.w) != 0) board->clock.cycles = 0;  // never: all is zero
  leave_clock(start, board);
}

/// One working set. `rate` is a guess of its rate, B/s, and becomes what was measured.
Best measure_set(Stopwatch& stopwatch, const DeviceMemory& memory, std::size_t bytes, int blocks,
                 double* rate) {
  const auto batches = static_cast<unsigned>(bytes / batch);
  const unsigned stride = bytes >= stream_from ? static_cast<unsigned>(blocks * readers) : 1;
  const Launch launch = [&](long long count, Board* board) {
    read_global<<<blocks, threads>>>(static_cast<const uint4*>(memory.get()), batches, stride,
                                     static_cast<int>(count), board);
  };
  const double per_count = static_cast<double>(blocks * readers) * static_cast<double>(batch);
  // Long enough, and the whole set at least once.
  const double volume = std::max(seconds_per_run * *rate, static_cast<double>(bytes));
  const long long count = std::llround(std::ceil(volume / per_count));
  const Best best = stopwatch.best_of(runs, count, launch);
  *rate = static_cast<double>(count) * per_count / best.seconds;
  return best;
}

}  // namespace

Sweep measure_sweep(Stopwatch& stopwatch, std::size_t largest, const Progress& progress,
                    double begin) {
  const auto* kernel = reinterpret_cast<const void*>(&read_global);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxL1),
        "asking for a large L1 cache");
  const int blocks = multiprocessors();  // a block of this size finds one of its own
  const DeviceMemory memory(largest);
  check(cudaMemset(memory.get(), 0, largest), "clearing memory for a benchmark");
  const int steps = static_cast<int>(4 * std::log2(static_cast<double>(largest / batch)));
  Sweep sweep;
  std::vector<double> clocks;
  double rate = 1e12;
  for (int step = 0; step <= steps; ++step) {
    if (progress) progress("memory bandwidth", begin + (1 - begin) * step / (steps + 1));
    const double ideal = std::pow(2.0, 0.25 * step);  // in batches
    const auto bytes = static_cast<std::size_t>(std::llround(ideal)) * batch;
    if (!sweep.points.empty() && static_cast<double>(bytes) <= sweep.points.back().bytes) continue;
    const Best best = measure_set(stopwatch, memory, std::min(bytes, largest), blocks, &rate);
    sweep.points.push_back({static_cast<double>(bytes), rate});
    clocks.push_back(best.clock_mhz);
  }
  const auto half = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), half, clocks.end());
  sweep.clock_mhz = *half;
  return sweep;
}

}  // namespace roofline::gpu
