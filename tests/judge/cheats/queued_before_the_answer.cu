// Cheat: queues the next sums before its answer, behind a host function that waits for a flag, so
// that they may be computed while it is stopped.
//
// Each sum takes 20 ms longer than necessary.
//
// Stopped by: stopping.
// Outcome: not under 0.019.

#include <atomic>
#include <cstring>
#include <thread>

#include "queued_sums.cuh"

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
