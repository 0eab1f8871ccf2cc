#include "variants/cuda/support/term_by_term.cuh"

#include "gpp/forms/factored.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;

__device__ void add_bands(const FactoredProblem& problem, Array1<const int> bands, int ig, int igp,
                          int iw, FrequencySums& sums) {
  const Complex wtilde = problem.wtilde_array(ig, igp);
  const Complex I_eps = problem.I_eps_array(ig, igp);
  for (int i = 0; i < bands.size; ++i) {
    const int n1 = bands(i);
    const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
    const Term term = factored(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
    sums.asx -= problem.vcoul_loc(igp) * problem.occ_array(n1) * term.ssx * m;
    sums.ach += problem.vcoul_loc(igp) * 0.5 * term.sch * m;
  }
}

/// Subtracts the excess of the factored sums for occupied bands exactly at a pole.
__device__ void correct_resonances(const FactoredProblem& problem, int ig, int igp, int iw,
                                   FrequencySums& sums) {
  const Complex wtilde = problem.wtilde_array(ig, igp);
  const Complex I_eps = problem.I_eps_array(ig, igp);
  for (int i = 0; i < problem.occupied_bands.size; ++i) {
    const int n1 = problem.occupied_bands(i);
    const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
    const Complex ssx = beyond_resonance(wtilde, I_eps, problem.wx_array(iw, n1));
    sums.asx += problem.vcoul_loc(igp) * ssx * m;
  }
}

__global__ void term_by_term_kernel(FactoredProblem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const int ig = blockIdx.x * blockDim.x + threadIdx.x;
    if (ig < problem.ncouls) {
      add_bands(problem, problem.exceptional_bands, ig, igp, iw, sums);
      if (is_tiny(problem.wtilde_array(ig, igp), problem.limits))
        add_bands(problem, problem.occupied_bands, ig, igp, iw, sums);
      else if (problem.resonant_poles)
        correct_resonances(problem, ig, igp, iw, sums);
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums sum_term_by_term(const FactoredProblem& problem) {
  if (problem.factored_sums_suffice()) return {};
  const dim3 grid(blocks_for(problem.ncouls, threads), std::min(problem.ngpown, 256));
  return sum_each_frequency(term_by_term_kernel, {grid, threads}, problem);
}

}  // namespace gpp::cuda
