// gpp5 of Yang 2020: one launch per frequency.
//
// The idea of v4, in blocks of 128 threads: a thread keeps one pair of sums, and every launch loads
// everything again.
//
// Made from arxiv_4_collapse2.
// Operations: power2, pole at every term; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;

__global__ void kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const long long pairs = 1LL * problem.ngpown * problem.ncouls;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += stride) {
    const int ig = i % problem.ncouls;
    const int igp = i / problem.ncouls;
    const double vcoul = problem.vcoul_loc(igp);
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
      const double occ = problem.occ_array(n1);
      const Pole pole = make_squared_pole(problem.wtilde_array(ig, igp),
                                          problem.I_eps_array(ig, igp), problem.limits);
      const Term term = power2(pole, problem.wx_array(iw, n1), problem.limits);
      sums.asx -= vcoul * occ * term.ssx * m;
      sums.ach += vcoul * 0.5 * term.sch * m;
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums arxiv_5_iw_outside(const Problem& problem) {
  const long long pairs = 1LL * problem.ngpown * problem.ncouls;
  const dim3 grid(std::min(blocks_for(pairs, threads), max_blocks));
  return sum_each_frequency(kernel, {grid, threads}, problem);
}
GPP_VARIANT(arxiv_5_iw_outside);

}  // namespace gpp::cuda
