// Cheat: queues the next sums before its answer, behind a host function that waits for a flag, so
// that they may be computed while it is stopped.
//
// Each sum takes 20 ms longer than necessary.
//
// Stopped by: stopping.
// Outcome: not under 0.019.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "gpp/variant.h"
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

std::atomic<bool> asked{false};

void wait_for_question(void* /*nothing*/) {
  while (!asked) std::this_thread::yield();
  asked = false;
}

struct Queued {
  Problem problem{};
  cudaStream_t stream = nullptr;
  FrequencySums* sums = mapped_sums();
};

void queue_next(Queued& queued, const Problem& problem) {
  queued.problem = problem;
  cudaLaunchHostFunc(queued.stream, wait_for_question, nullptr);
  spend<<<1, 1, 0, queued.stream>>>(20'000'000);
  queue(problem, queued.stream, room_for(problem), queued.sums);
}

}  // namespace

Sums queued_before_the_answer(const Problem& problem) {
  static Queued queued;
  if (queued.stream == nullptr) {
    cudaStreamCreateWithFlags(&queued.stream, cudaStreamNonBlocking);
    spend<<<1, 1>>>(0);  // loads the kernels before any of them waits
    power2(problem);
    queue_next(queued, problem);
  }
  // The queue is for another problem if scalars or addresses differ.
  const bool same = std::memcmp(&queued.problem, &problem, sizeof(problem)) == 0;
  asked = true;
  cudaStreamSynchronize(queued.stream);
  if (!same) {
    queue_next(queued, problem);
    asked = true;
    cudaStreamSynchronize(queued.stream);
  }
  const Sums sums = sums_of(problem, queued.sums);
  queue_next(queued, problem);
  return sums;
}

}  // namespace gpp::cuda
