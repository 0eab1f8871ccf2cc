// gpp6 of Yang 2020: ig and n1 are blocked by 128 and 64, which are strides.
//
// A thread has its own first ig, its own first band and one igp, and steps through G by 128 and
// through bands by 64: the bands are split across threads. Blocks that run at the same time share
// one or two first bands, and caches need hold no more of aqsn than the bands behind those. v9
// takes contiguous groups of 64 bands instead.
//
// Made from arxiv_5_iw_outside.
// Operations: power2, pole at every term; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/variant.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;
constexpr int ig_stride = 128;
constexpr int n1_stride = 64;

__global__ void kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig_first = blockIdx.x * blockDim.x + threadIdx.x;
  const int n1_first = blockIdx.z;
  for (int igp = blockIdx.y; igp < problem.ngpown; igp += gridDim.y) {
    const double vcoul = problem.vcoul_loc(igp);
    for (int ig = ig_first; ig < problem.ncouls; ig += ig_stride) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      for (int n1 = n1_first; n1 < problem.nbands; n1 += n1_stride) {
        const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
        const Term term = power2(pole, problem.wx_array(iw, n1), problem.limits);
        sums.asx -= vcoul * occ * term.ssx * m;
        sums.ach += vcoul * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums arxiv_6_blocked(const Problem& problem) {
  static_assert(ig_stride % threads == 0);
  const dim3 grid(ig_stride / threads, std::min(problem.ngpown, max_grid_y), n1_stride);
  return sum_each_frequency(kernel, {grid, threads}, problem);
}

}  // namespace gpp::cuda
