// v1 of SC20 (Yang 2021): the baseline "with certain optimizations included retrospectively".
//
// Which ones it does not tell. Taken here are those that SC19's ladder has and SC20's list lacks:
// one launch per frequency (v4), indices swapped (v5), simplified code (v6). The loops are v1's.
//
// Made from v1_collapse3.
// Operations: simplified, pole at every term; m at every frequency.

#include "gpp/forms/simplified.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;
constexpr int enough_blocks = 1 << 17;

__global__ void kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  for (int n1 = blockIdx.z; n1 < problem.nbands; n1 += gridDim.z) {
    for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
      const int ig = blockIdx.x * blockDim.x + threadIdx.x;
      if (ig < problem.ncouls) {
        const Complex wtilde = problem.wtilde_array(ig, igp);
        const Complex I_eps = problem.I_eps_array(ig, igp);
        const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
        const Pole pole = make_pole(wtilde, I_eps, problem.limits);
        const Term term = simplified(pole, problem.wx_array_t(n1, iw), problem.limits);
        sums.asx -= problem.vcoul_loc(igp) * problem.occ_array(n1) * term.ssx * m;
        sums.ach += problem.vcoul_loc(igp) * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums sc20_1_baseline(const Problem& problem) {
  const unsigned x = blocks_for(problem.ncouls, threads);
  const unsigned z = std::min(problem.nbands, max_grid_z);
  const unsigned y = std::clamp(enough_blocks / (x * z), 1u, unsigned(problem.ngpown));
  const dim3 grid(x, y, z);
  return sum_each_frequency(kernel, {grid, threads}, problem);
}

}  // namespace gpp::cuda
