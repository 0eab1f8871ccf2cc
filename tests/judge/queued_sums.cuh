// Sums that somebody else waits for, for submissions in CUDA: a test puts this file beside each
// that includes it.
#pragma once

#include <algorithm>

#include "variants/cuda/v08_power2.cu"

namespace gpp::cuda {

inline dim3 grid_of(const Problem& problem) {
  return {blocks_for(problem.ncouls, threads),
          static_cast<unsigned>(std::min(problem.ngpown, max_grid_y))};
}

/// All sums, on that stream, for somebody else to wait for.
inline void queue(const Problem& problem, cudaStream_t stream, FrequencySums* partial,
                  FrequencySums* sums) {
  const dim3 grid = grid_of(problem);
  const std::size_t blocks = std::size_t{grid.x} * grid.y;
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    kernel<<<grid, threads, 0, stream>>>(problem, iw, partial);
    sum_partials<FrequencySums><<<1, 512, 0, stream>>>(partial, blocks, sums + iw);
  }
}

/// Room for the partial sums of a problem. It is never given back.
inline FrequencySums* room_for(const Problem& problem) {
  const dim3 grid = grid_of(problem);
  FrequencySums* partial = nullptr;
  cudaMalloc(&partial, std::size_t{grid.x} * grid.y * sizeof(FrequencySums));
  return partial;
}

inline FrequencySums* mapped_sums() {
  FrequencySums* sums = nullptr;
  cudaHostAlloc(&sums, max_frequencies * sizeof(FrequencySums), cudaHostAllocMapped);
  return sums;
}

inline Sums sums_of(const Problem& problem, const FrequencySums* by_frequency) {
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

}  // namespace gpp::cuda
