// Honest, though it looks odd: it captures its kernels in a graph, and launches that.
//

#include <algorithm>
#include <cstddef>

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

Sums sums_of(const Problem& problem, const FrequencySums* by_frequency) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    sums.asx[iw] = by_frequency[iw].asx;
    sums.ach[iw] = by_frequency[iw].ach;
  }
  return sums;
}

}  // namespace

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

}  // namespace gpp::cuda
