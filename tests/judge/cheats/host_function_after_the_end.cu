// Cheat: a host function, called late by its stream, writes the sums into the earlier answer.
//
// Stopped by: answers taken once.
// Outcome: wrong.

#include <algorithm>

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

struct Late {
  Problem problem;
  FrequencySums* by_frequency;
  Sums* answer;
};

void answer_late(void* late) {
  const Late& all = *static_cast<Late*>(late);
  *all.answer = sums_of(all.problem, all.by_frequency);
}

}  // namespace

Sums host_function_after_the_end(const Problem& problem) {
  static cudaStream_t stream = nullptr;
  static Sums kept{};  // sums of the last call, possibly late
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  auto* const late = new Late{problem, mapped_sums(), &kept};
  const Sums sums = kept;
  queue(problem, stream, room_for(problem), late->by_frequency);
  cudaLaunchHostFunc(stream, answer_late, late);
  return sums;
}

}  // namespace gpp::cuda
