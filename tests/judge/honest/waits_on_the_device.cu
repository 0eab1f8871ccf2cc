// Honest, though it looks odd: its blocks are launched together, wait for each other on the device,
// and allocate what they need in the run.

#include <cooperative_groups.h>
#include <algorithm>

#include "queued_sums.cuh"

__global__ void __launch_bounds__(threads)
    together(Problem problem, FrequencySums* partial, FrequencySums* totals) {
  const cooperative_groups::grid_group all = cooperative_groups::this_grid();
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    FrequencySums sums{};
    const long long poles = 1LL * problem.ncouls * problem.ngpown;
    for (long long i = all.thread_rank(); i < poles; i += all.num_threads()) {
      const int ig = static_cast<int>(i % problem.ncouls),
                igp = static_cast<int>(i / problem.ncouls);
      const Pole pole = make_squared_pole(problem.wtilde_array(ig, igp),
                                          problem.I_eps_array(ig, igp), problem.limits);
      for (int n1 = 0; n1 < problem.nbands; ++n1) {
        const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
        const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
        sums.asx -= problem.vcoul_loc(igp) * problem.occ_array(n1) * term.ssx * m;
        sums.ach += problem.vcoul_loc(igp) * 0.5 * term.sch * m;
      }
    }
    store_block_sum(sums, partial);
    all.sync();
    if (all.thread_rank() == 0)
      for (unsigned block = 0; block < gridDim.x; ++block) {
        totals[iw].asx += partial[block].asx;
        totals[iw].ach += partial[block].ach;
      }
    all.sync();
  }
}

Sums waits_on_the_device(const Problem& problem) {
  constexpr unsigned blocks = 64;  // fewer than multiprocessors, so all run at once
  FrequencySums *partial = nullptr, *totals = nullptr;
  check(cudaMalloc(&partial, blocks * sizeof(FrequencySums)), "allocating in the run");
  check(cudaMallocManaged(&totals, max_frequencies * sizeof(FrequencySums)),
        "allocating in the run");
  std::fill_n(totals, max_frequencies, FrequencySums{});
  Problem copy = problem;
  void* arguments[] = {&copy, &partial, &totals};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(together), blocks, threads,
                                    arguments),
        "launching blocks together");
  check(cudaDeviceSynchronize(), "waiting for the device");
  const Sums sums = sums_of(problem, totals);
  cudaFree(partial);
  cudaFree(totals);
  return sums;
}
