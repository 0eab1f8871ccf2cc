// Kernels timed by the device's own events; CUDA's error codes as exceptions.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace roofline::gpu {

/// Throws std::runtime_error when `status` is an error: what was being done, what CUDA said, and
/// where a user can do something about it.
void check(cudaError_t status, const char* doing);

struct Board;

/// A launch of a benchmark: so many steps of its loop; leaves the clock on the board.
using Launch = std::function<void(long long steps, Board* board)>;

/// A launch, and the work of one of its steps: operations or bytes.
struct Benchmark {
  Launch launch;
  double work_of_step = 0;
};

/// The shortest of several runs.
struct Best {
  double seconds = 0;
  double clock_mhz = 0;  ///< of one multiprocessor, during the same run
};

/// Device memory. Throws std::runtime_error where there is not enough.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

class Stopwatch {
 public:
  Stopwatch();
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// One warm-up and `repetitions` timed runs. A roof is the best that was seen.
  Best best_of(int repetitions, long long steps, const Launch& launch);
  /// Seconds of each of the timed runs, after one warm-up.
  std::vector<double> all_of(int repetitions, long long steps, const Launch& launch);
  /// So many steps that a run takes about `seconds`, and at least one.
  long long steps_for(double seconds, const Launch& launch);

 private:
  Best once(long long steps, const Launch& launch);

  cudaEvent_t start_{};
  cudaEvent_t stop_{};
  DeviceMemory board_;
};

/// The number of multiprocessors of the current device, or of the green context that is current.
int multiprocessors();

/// The number of blocks of a kernel that run at the same time on all of these.
int resident_blocks(const void* kernel, int threads_per_block);

}  // namespace roofline::gpu
