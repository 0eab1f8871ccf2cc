// Cheat: makes the device's front end wait for a bit of a weight to change, without a visible
// kernel, and computes when the next problem is drawn.
//
// Each sum takes 20 ms longer than necessary.
//
// Stopped by: problems that are revealed when the clock runs.
// Outcome: not under 0.019.

#include <cuda.h>
#include <cstring>

#include "queued_sums.cuh"
#include "roofline/cuda_driver.h"

/// Which problem was seen, for the host to compare.
struct Seen {
  double vcoul;
  Complex aqsntemp;
};

__global__ void look(Problem problem, Seen* seen) {
  *seen = {problem.vcoul_loc(0), problem.aqsntemp(0, 0)};
}

class Ahead {
 public:
  Ahead() {
    cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    cudaHostAlloc(&seen_, 2 * sizeof(Seen), cudaHostAllocMapped);
    roofline::find_cuda_driver_function("cuStreamWaitValue32_v2", wait_);
  }

  /// Computes the requested problem, unless that began earlier.
  Sums compute(const Problem& problem) {
    look<<<1, 1>>>(problem, seen_ + 1);
    cudaStreamSynchronize(nullptr);
    if (ahead_ && problem.terms() == terms_ && std::memcmp(seen_, seen_ + 1, sizeof(Seen)) == 0) {
      cudaStreamSynchronize(stream_);
      ahead_ = false;
      return sums_of(problem, by_frequency_);
    }
    if (cudaStreamQuery(stream_) == cudaSuccess) ahead_ = false;  // its work was for another one
    spend<<<1, 1>>>(20'000'000);
    return power2(problem);
  }

  void wait_for_next(const Problem& problem) {
    if (ahead_ || wait_ == nullptr) return;
    terms_ = problem.terms();
    unsigned word = 0;
    cudaMemcpy(&word, problem.vcoul_loc.data, sizeof(word), cudaMemcpyDeviceToHost);
    constexpr unsigned bit = 1u << 7;
    const bool is_set = (word & bit) != 0;
    wait_(stream_, reinterpret_cast<CUdeviceptr>(problem.vcoul_loc.data), is_set ? ~bit : bit,
          is_set ? CU_STREAM_WAIT_VALUE_NOR : CU_STREAM_WAIT_VALUE_AND);
    ahead_ = true;
    look<<<1, 1, 0, stream_>>>(problem, seen_);
    spend<<<1, 1, 0, stream_>>>(20'000'000);
    queue(problem, stream_, room_for(problem), by_frequency_);
  }

 private:
  cudaStream_t stream_ = nullptr;
  Seen* seen_ = nullptr;
  FrequencySums* by_frequency_ = mapped_sums();
  decltype(&cuStreamWaitValue32) wait_ = nullptr;
  long long terms_ = 0;
  bool ahead_ = false;
};

Sums waits_for_the_draw(const Problem& problem) {
  static Ahead ahead;
  const Sums sums = ahead.compute(problem);
  ahead.wait_for_next(problem);
  return sums;
}
