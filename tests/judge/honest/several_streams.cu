// Honest, though it looks odd: each frequency has a stream of its own, and all are joined before
// the end.

#include <algorithm>
#include <cstddef>
#include <vector>

struct Branch {
  cudaStream_t stream = nullptr;
  FrequencySums *partial = nullptr, *sum = nullptr;
};

Branch branch_of(std::size_t blocks) {
  Branch branch;
  check(cudaStreamCreateWithFlags(&branch.stream, cudaStreamNonBlocking), "creating a stream");
  check(cudaMalloc(&branch.partial, (blocks + 1) * sizeof(FrequencySums)), "making room");
  branch.sum = branch.partial + blocks;
  return branch;
}

Sums several_streams(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ncouls, threads),
                  static_cast<unsigned>(std::min(problem.ngpown, max_grid_y)));
  const std::size_t blocks = std::size_t{grid.x} * grid.y;
  std::vector<Branch> branches;
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    const Branch& one = branches.emplace_back(branch_of(blocks));
    kernel<<<grid, threads, 0, one.stream>>>(problem, iw, one.partial);
    sum_partials<FrequencySums><<<1, 512, 0, one.stream>>>(one.partial, blocks, one.sum);
  }
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    const Branch& one = branches[static_cast<std::size_t>(iw)];
    FrequencySums total;
    check(cudaMemcpyAsync(&total, one.sum, sizeof(total), cudaMemcpyDeviceToHost, one.stream),
          "reading a sum");
    check(cudaStreamSynchronize(one.stream), "waiting for a stream");
    cudaFree(one.partial);
    cudaStreamDestroy(one.stream);
    sums.asx[iw] = total.asx;
    sums.ach[iw] = total.ach;
  }
  return sums;
}
