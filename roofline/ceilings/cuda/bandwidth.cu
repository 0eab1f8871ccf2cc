// Benchmarks of launches, shared memory and global memory. Launches follow each other: the
// processor enqueues the next one while the device works, so the slower of the two is measured.
// Loads of shared memory are volatile, so that each one is executed. Two kernels read global
// memory: small sets through L1, large ones past it.
#include "roofline/ceilings/cuda/gpu.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "roofline/ceilings/cuda/watch.cuh"
#include "roofline/statistics.h"

namespace roofline::gpu {
namespace {

__global__ void do_nothing() {}

constexpr int shared_threads = 256;
constexpr int shared_loads = 8;  // unrolled loads of 16 bytes per thread
constexpr int shared_row = shared_threads * 16;

__global__ void __launch_bounds__(shared_threads)
    read_shared(int steps, unsigned zero, Board* board) {
  __shared__ uint4 data[shared_loads * shared_threads];
  const ClockReading start = read_clock();
  for (int i = 0; i < shared_loads; ++i)
    data[i * shared_threads + threadIdx.x] = make_uint4(zero, zero, zero, zero);
  __syncthreads();
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&data[threadIdx.x]));
  Seen seen{make_uint4(zero, zero, zero, zero)};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    uint4 value[shared_loads];
#pragma unroll
    for (int i = 0; i < shared_loads; ++i)
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(value[i].x), "=r"(value[i].y), "=r"(value[i].z), "=r"(value[i].w)
                   : "r"(address + i * shared_row));
    seen.add(value);
  }
  seen.use(board);
  leave_clock(start, board);
}

constexpr std::size_t batch = 16 * 1024;  // bytes that a reader reads at once, 16 per thread
constexpr double seconds_per_run = 1.5e-3;
constexpr int runs = 5;

// For reads through L1, one block of several readers runs on each multiprocessor.
constexpr int threads = 1024;
constexpr int readers = 4;  // parts of a block, each with its own position in the set
constexpr int reader_threads = threads / readers;
constexpr int loads = batch / reader_threads / 16;  // loads in flight per thread
/// The largest set read through L1. Every L1 is smaller than a quarter of it.
constexpr std::size_t largest_near = std::size_t{1} << 20;

// For reads past L1, there are many more blocks than fit at once.
constexpr int far_threads = 512;
constexpr int far_loads = batch / far_threads / 16;  // loads in flight per thread
constexpr int rounds = 32;  // consecutive blocks in each slot of a multiprocessor

/// The first position of a reader. Readers of a block are spread evenly over the set, from a start
/// that is unrelated to that of neighbouring blocks.
__device__ unsigned first_batch(unsigned batches) {
  const unsigned reader = threadIdx.x / reader_threads;
  const unsigned scattered = blockIdx.x * 2654435769u;  // 2^32 / golden ratio
  const auto share =
      static_cast<unsigned>(static_cast<unsigned long long>(reader) * batches / readers);
  return (scattered % batches + share) % batches;
}

/// Every reader reads `count` batches of a set of `batches` in sequence, cyclically.
__global__ void __launch_bounds__(threads, 1)
    read_near(const uint4* data, unsigned batches, int count, Board* board) {
  const ClockReading start = read_clock();
  Seen seen{make_uint4(0, 0, 0, 0)};
  unsigned at = first_batch(batches);
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
    seen.add(value);
    if (++at == batches) at = 0;
  }
  seen.use(board);
  leave_clock(start, board);
}

/// The set is divided into `parts`, batch by batch. Neighbouring blocks read neighbouring parts,
/// and each block continues where the previous block of its part ended, for `count` batches. Blocks
/// that run at the same time read different parts. If two read the same data, L1 or the unit that
/// merges requests of several multiprocessors would serve one of them, and readers served in this
/// way catch up with others and stay beside them. Blocks wait for free slots, so a multiprocessor
/// closer to its data reads more: the rate is that of all together, not the slowest one's times
/// their number.
__global__ void __launch_bounds__(far_threads)
    read_far(const uint4* data, unsigned batches, unsigned parts, int count, Board* board) {
  const ClockReading start = read_clock();
  Seen seen{make_uint4(0, 0, 0, 0)};
  const unsigned part = blockIdx.x % parts;
  const unsigned own = (batches - part + parts - 1) / parts;  // number of batches in this part
  const unsigned long long before =
      static_cast<unsigned long long>(blockIdx.x / parts) * static_cast<unsigned>(count);
  unsigned at = part + static_cast<unsigned>(before % own) * parts;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const uint4* from =
        data + static_cast<std::size_t>(at) * (far_loads * far_threads) + threadIdx.x;
    uint4 value[far_loads];
#pragma unroll
    for (int j = 0; j < far_loads; ++j)
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(value[j].x), "=r"(value[j].y), "=r"(value[j].z), "=r"(value[j].w)
                   : "l"(from + j * far_threads));
    seen.add(value);
    at += parts;
    if (at >= batches) at = part;
  }
  seen.use(board);
  leave_clock(start, board);
}

const void* address_of_read_far() { return reinterpret_cast<const void*>(&read_far); }

/// The smallest set past L1: with less, blocks that run at the same time would read the same data.
/// It is computed for the whole device, so that parts of a device use the same sets. If L2 is small
/// for its multiprocessors, it is a quarter of L2, but never a set that is read through L1.
std::size_t smallest_far_set(std::size_t l2) {
  int blocks = 0;
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of_read_far(), far_threads, 0),
      "asking for a benchmark's occupancy");
  const std::size_t in_flight =
      batch * static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)) *
      static_cast<std::size_t>(std::max(blocks, 1));
  return std::max(l2 > 0 ? std::min(in_flight, l2 / 4) : in_flight, largest_near + batch);
}

/// The benchmark that reads one working set; its work is counted in bytes.
Benchmark reader_of(const uint4* data, std::size_t bytes) {
  const auto batches = static_cast<unsigned>(bytes / batch);
  const bool near = bytes <= largest_near;
  const int multiprocessors_now = multiprocessors();  // one block of `threads` for each
  const int places = resident_blocks(address_of_read_far(), far_threads);
  const unsigned parts = std::min(static_cast<unsigned>(places), batches);
  const Launch launch = [=](long long count, Board* board) {
    const int times = static_cast<int>(count);
    if (near)
      read_near<<<multiprocessors_now, threads>>>(data, batches, times, board);
    else
      read_far<<<rounds * parts, far_threads>>>(data, batches, parts, times, board);
  };
  const double readers_of_all =
      near ? multiprocessors_now * readers : static_cast<double>(rounds * parts);
  return {launch, readers_of_all * static_cast<double>(batch)};
}

/// Measures one working set. `rate` is an estimate in B/s, which the measured rate replaces.
Best measure_set(Stopwatch& stopwatch, const uint4* data, std::size_t bytes, double* rate) {
  const Benchmark reader = reader_of(data, bytes);
  const double per_count = reader.work_of_step;
  // Reads for long enough, and the whole set at least once.
  const double volume = std::max(seconds_per_run * *rate, static_cast<double>(bytes));
  const long long count = std::llround(std::ceil(volume / per_count));
  const Best best = stopwatch.best_of(runs, count, reader.launch);
  *rate = static_cast<double>(count) * per_count / best.seconds;
  return best;
}

}  // namespace

LaunchCost measure_launch(Stopwatch& stopwatch) {
  constexpr int launches = 500;  // fewer than fill a stream, where the processor would wait
  constexpr int launch_runs = 41;
  const Launch launch = [](long long count, Board*) {
    for (long long i = 0; i < count; ++i) do_nothing<<<1, 32>>>();
  };
  std::vector<double> seconds;
  for (const Best& run : stopwatch.all_of(launch_runs, launches, launch))
    seconds.push_back(run.seconds / launches);
  std::ranges::sort(seconds);
  return {
      seconds[launch_runs / 2], seconds[launch_runs / 4],
      seconds[launch_runs - 1 - launch_runs / 4],
      "An empty kernel, " + std::to_string(launches) +
          " times in one stream, back to back, by the device's events; median and quartiles of " +
          std::to_string(launch_runs) + " such runs."};
}

Benchmark reader_of_shared() {
  const int blocks = resident_blocks(reinterpret_cast<const void*>(&read_shared), shared_threads);
  return {[blocks](long long steps, Board* board) {
            read_shared<<<blocks, shared_threads>>>(static_cast<int>(steps), 0, board);
          },
          static_cast<double>(blocks) * shared_loads * shared_row};
}

Sweep measure_sweep(Stopwatch& stopwatch, std::size_t largest, const Progress& progress,
                    double begin) {
  const auto* kernel = reinterpret_cast<const void*>(&read_near);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxL1),
        "asking for a large L1 cache");
  const std::shared_ptr<void> memory = device_memory(largest);
  check(cudaMemset(memory.get(), 0, largest), "clearing memory for a benchmark");
  const auto* data = static_cast<const uint4*>(memory.get());
  const int steps = static_cast<int>(4 * std::log2(static_cast<double>(largest / batch)));
  Sweep sweep;
  const auto l2 = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  const std::size_t far = smallest_far_set(l2);
  sweep.l2_from = l2 > 0 ? static_cast<double>(far) : 0;
  sweep.l2_until = static_cast<double>(l2) / 2;
  std::vector<double> clocks;
  double rate = 1e12;
  for (int step = 0; step <= steps; ++step) {
    if (progress) progress("memory bandwidth", begin + (1 - begin) * step / (steps + 1));
    const double ideal = std::pow(2.0, 0.25 * step);  // ideal size of the set in batches
    const auto bytes = static_cast<std::size_t>(std::llround(ideal)) * batch;
    if (!sweep.points.empty() && static_cast<double>(bytes) <= sweep.points.back().bytes) continue;
    if (bytes > largest_near && bytes < far) continue;
    const Best best = measure_set(stopwatch, data, std::min(bytes, largest), &rate);
    sweep.points.push_back({static_cast<double>(bytes), rate});
    clocks.push_back(best.clock_mhz);
  }
  sweep.clock_mhz = middle_of(std::move(clocks));
  return sweep;
}

}  // namespace roofline::gpu
