// Honest, though it looks odd: it captures its kernels in a graph, and launches that.

#include <cstddef>

#include "queued_sums.cuh"

Sums one_graph(const Problem& problem) {
  const dim3 grid = grid_of(problem);
  const BlockSums<FrequencySums> partial(grid), totals({max_frequencies, 1, 1});
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamCreate(&stream), "creating a stream");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing");
  queue(problem, stream, partial.data(), totals.data());
  check(cudaStreamEndCapture(stream, &graph), "capturing");
  check(cudaGraphInstantiate(&ready, graph, 0), "making a graph ready");
  check(cudaGraphLaunch(ready, stream), "launching a graph");
  check(cudaStreamSynchronize(stream), "waiting for a graph");
  FrequencySums by_frequency[max_frequencies];
  check(cudaMemcpy(by_frequency, totals.data(), sizeof(by_frequency), cudaMemcpyDeviceToHost),
        "reading sums");
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  return sums_of(problem, by_frequency);
}
