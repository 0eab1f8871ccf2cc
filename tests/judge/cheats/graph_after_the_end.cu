// Cheat: launches a graph that computes, whose final host function sets the sums after the answer.
//
// Stopped by: draws.
// Outcome: wrong.

#include "queued_sums.cuh"

struct Late {
  Problem problem;
  FrequencySums* by_frequency = nullptr;
  Sums sums{};
};

/// Its thread is stopped like all others; the graph continues at the next request.
void finish(void* late) {
  Late& all = *static_cast<Late*>(late);
  all.sums = sums_of(all.problem, all.by_frequency);
}

Sums graph_after_the_end(const Problem& problem) {
  static Late late{problem, mapped_sums(), {}};
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const Sums of_before = late.sums;
  late.problem = problem;
  FrequencySums* const partial = room_for(problem);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  queue(problem, stream, partial, late.by_frequency);
  cudaLaunchHostFunc(stream, finish, &late);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  return of_before;
}
