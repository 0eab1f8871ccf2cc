// The benchmarks of a CUDA device, timed with its events, and what is known about it: size, clocks,
// and operations of a multiprocessor per cycle. CUDA errors become exceptions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/ceilings/measure.h"

namespace roofline::gpu {

/// Throws std::runtime_error if `status` is an error, with the action, CUDA's message, and advice
/// if there is any.
void check(cudaError_t status, const char* doing);

struct Board;

/// Launches a benchmark with this number of steps in its loop. It leaves the clock on the board.
using Launch = std::function<void(long long steps, Board* board)>;

/// A launch, and the work of one step: operations or bytes.
struct Benchmark {
  Launch launch;
  double work_of_step = 0;
};

/// Device memory. Throws std::runtime_error if there is not enough.
std::shared_ptr<void> device_memory(std::size_t bytes);

class Stopwatch {
 public:
  Stopwatch();

  /// Does one warm-up and `repetitions` timed runs.
  std::vector<Best> all_of(int repetitions, long long steps, const Launch& launch);
  /// The fastest of them, which is the roof.
  Best best_of(int repetitions, long long steps, const Launch& launch);
  /// The number of steps for a run of about `seconds`, at least one.
  long long steps_for(double seconds, const Launch& launch);

 private:
  Best once(long long steps, const Launch& launch);

  std::shared_ptr<CUevent_st> start_, stop_;
  std::shared_ptr<void> board_;
};

/// An attribute of the current device.
int attribute(cudaDeviceAttr which);

/// The number of multiprocessors of the current device or green context.
int multiprocessors();

/// The number of a kernel's blocks that can run at the same time on the whole device.
int resident_blocks(const void* kernel, int threads_per_block);

/// Rates per multiprocessor (SM) and cycle. 0: unknown, or the device has none. Rates of tensor
/// cores are for dense matrices.
struct PerCycle {
  int fp64_fma = 0;
  int fp32_fma = 0;
  int fp16_fma = 0;  ///< packed pairs, counted as two
  int fp64_tensor_fma = 0;
  int fp16_tensor_fma = 0;  ///< FP16 or BF16, added up in FP32
  int tf32_tensor_fma = 0;
  int fp8_tensor_fma = 0;
  int int8_tensor_fma = 0;
  int issue = 0;     ///< threads of issued instructions, 32 each
  int alu = 0;       ///< threads of integer logic instructions
  int xu = 0;        ///< threads of transcendental instructions
  int l1_bytes = 0;  ///< L1 and shared memory together
  int l2_bytes = 0;  ///< bytes of L2, for the whole device
};

/// The rates of a compute capability, 90 for 9.0. All are 0 for unknown ones; nothing is guessed.
PerCycle per_cycle(int compute_capability);

struct Device {
  std::string name;
  std::string driver;
  std::string place;           ///< bus address: "0000:3b:00.0"
  int compute_capability = 0;  ///< 90 for 9.0
  int multiprocessors = 0;     ///< number in the device, or in the current green context
  std::size_t memory_bytes = 0;
  double memory_bytes_per_s = 0;  ///< theoretical; 0 if CUDA does not report it
  PerCycle per_cycle;
};

/// The current device. Throws std::runtime_error.
Device current_device();

using PipeRate = int PerCycle::*;

/// An arithmetic benchmark that only its pipe, or the reading of operands, limits.
struct ArithmeticKernel {
  const char* name;   ///< name of its ceiling
  const char* label;  ///< label for people
  std::string definition;
  const void* kernel;
  void (*launch)(int blocks, long long steps, Board* board);
  double flop_per_step;             ///< operations of a thread per step
  PipeRate fma;                     ///< its pipe's rate
  double flop_per_fma;              ///< 2; 1 for separate multiplications and additions
  int needs_code_of;                ///< minimum compute capability for compiling the kernel
  const char* not_later = nullptr;  ///< reason why later devices lack it; nullptr: they have it
};

inline constexpr int arithmetic_threads = 256;  // threads per block

/// All kernels. Of several with the same name, the fastest gives the roof.
std::vector<ArithmeticKernel> arithmetic_kernels();

/// Reads shared memory with loads of 128 bits per thread, without bank conflicts; its work is
/// counted in bytes.
Benchmark reader_of_shared();

struct Sweep {
  std::vector<SweepPoint> points;
  /// The smallest set in bytes that L2 serves: all data in flight on the device. The largest is
  /// half of L2, since the halves of a divided one may hold the same data. 0: unknown size.
  double l2_from = 0;
  double l2_until = 0;
  double clock_mhz = 0;  ///< median clock of the sweep
};

/// Measures global memory in four steps per octave from 16 KiB to `largest` bytes. Up to 1 MiB,
/// every multiprocessor reads the whole set cyclically from its own position, so sets that fit into
/// L1 are read from there. Larger sets are read past L1 and shared by the multiprocessors; they
/// begin where L2 can be measured.
Sweep measure_sweep(Stopwatch& stopwatch, std::size_t largest, const Progress& progress,
                    double begin);

/// Measures the time of an empty kernel in a stream of many.
LaunchCost measure_launch(Stopwatch& stopwatch);

}  // namespace roofline::gpu
