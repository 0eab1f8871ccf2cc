// Times kernels with the device's events; CUDA errors become exceptions.
#pragma once

#include <cuda_runtime.h>

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

}  // namespace roofline::gpu
