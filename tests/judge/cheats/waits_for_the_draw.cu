// Cheat: makes the device's front end wait for a bit of a weight to change, without a visible
// kernel, and computes when the next problem is drawn.
//
// Each sum takes 20 ms longer than necessary.
//
// Stopped by: problems that are revealed when the clock runs.
// Outcome: not under 0.019.

#include <cuda.h>
#include <algorithm>
#include <cstring>

#include "gpp/variant.h"
#include "roofline/cuda_driver.h"
#include "variants/cuda/v08_power2.cu"

namespace gpp::cuda {

namespace {

dim3 grid_of(const Problem& problem) {
  return {blocks_for(problem.ncouls, threads),
          static_cast<unsigned>(std::min(problem.ngpown, max_grid_y))};
}

/// Queues all sums on `stream`; the caller waits for them.
void queue(const Problem& problem, cudaStream_t stream, FrequencySums* partial,
           FrequencySums* sums) {
  const dim3 grid = grid_of(problem);
  const std::size_t blocks = std::size_t{grid.x} * grid.y;
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    kernel<<<grid, threads, 0, stream>>>(problem, iw, partial);
    sum_partials<FrequencySums><<<1, 512, 0, stream>>>(partial, blocks, sums + iw);
  }
}

/// Memory for a problem's partial sums, which is never freed.
FrequencySums* room_for(const Problem& problem) {
  const dim3 grid = grid_of(problem);
  FrequencySums* partial = nullptr;
  cudaMalloc(&partial, std::size_t{grid.x} * grid.y * sizeof(FrequencySums));
  return partial;
}

FrequencySums* mapped_sums() {
  FrequencySums* sums = nullptr;
  cudaHostAlloc(&sums, max_frequencies * sizeof(FrequencySums), cudaHostAllocMapped);
  return sums;
}

Sums sums_of(const Problem& problem, const FrequencySums* by_frequency) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    sums.asx[iw] = by_frequency[iw].asx;
    sums.ach[iw] = by_frequency[iw].ach;
  }
  return sums;
}

__global__ void spend(long long nanoseconds) {
  const auto timer = [] {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  };
  for (const long long start = timer(); timer() - start < nanoseconds;) {
  }
}

/// Identifies the problem that was seen, for the host to compare.
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

}  // namespace

Sums waits_for_the_draw(const Problem& problem) {
  static Ahead ahead;
  const Sums sums = ahead.compute(problem);
  ahead.wait_for_next(problem);
  return sums;
}

}  // namespace gpp::cuda
