// Launches the factored steps (v11, v12): one kernel for each class of bands, compiled for each
// number of frequencies. Other terms are summed one by one.
#pragma once

#include <type_traits>
#include <vector>

#include "gpp/factored_problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"
#include "variants/cuda/support/share.cuh"
#include "variants/cuda/support/term_by_term.cuh"

namespace gpp::cuda {

/// v11, for every input; v12 calls it for inputs with complex poles.
Sums factored(const FactoredProblem& problem);
/// Sums of v12, which v13 calls for the bands without moments.
Sums real_poles(const FactoredProblem& problem);
/// v13; v14 calls it for inputs unsuited to integers, and for the heavy G'.
Sums moments(const FactoredProblem& problem);

/// A copy in host memory of an array on the device.
template <class T>
std::vector<T> to_host(Array1<const T> array) {
  std::vector<T> copy(array.count());
  check(cudaMemcpy(copy.data(), array.data, array.count() * sizeof(T), cudaMemcpyDeviceToHost),
        "copying from the device");
  return copy;
}

/// A kernel that sums a list of bands at all frequencies.
struct ClassKernel {
  void (*kernel)(FactoredProblem problem, Array1<const int> bands, Sums* partial);
  int igp_per_thread;
};

inline Sums sum_bands(const FactoredProblem& problem, Array1<const int> bands,
                      const ClassKernel& summing) {
  if (bands.size == 0) return {};
  const dim3 grid(blocks_for(problem.ngpown, block_warps * summing.igp_per_thread),
                  blocks_for(problem.ncouls, ig_tile));
  BlockSums<Sums> partial(grid);
  launch(summing.kernel, {grid, dim3(ig_tile, block_warps)}, problem, bands, partial.data());
  return partial.total();
}

/// Sums the problem with the kernels that kernel_for(nfreq, occupied) returns; both arguments are
/// compile-time constants.
template <class KernelFor>
Sums sum_by_class(const FactoredProblem& problem, KernelFor kernel_for) {
  return for_frequencies_of(problem, [&]<int nfreq>() {
    constexpr std::integral_constant<int, nfreq> frequencies;
    Sums sums = sum_term_by_term(problem);
    sums += sum_bands(problem, problem.occupied_bands, kernel_for(frequencies, std::true_type()));
    sums += sum_bands(problem, problem.empty_bands, kernel_for(frequencies, std::false_type()));
    return sums;
  });
}

}  // namespace gpp::cuda
