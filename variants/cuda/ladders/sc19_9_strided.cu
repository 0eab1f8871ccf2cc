// v9 of SC19 (Yang 2019), cache blocking as published: blocks in ig and n1, used as strides.
//
// A thread has its own first ig, its own first band and one igp, and steps through G by 128 and
// through bands by 64. These are the sizes of Yang 2020, which agree with SC19's instruction
// counts. So bands are split across threads. Blocks have 512 threads as in v8: 128 ig and four igp.
// Our v9 keeps all bands of a pole in one thread instead.
//
// Made from v8_power2.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int ig_stride = 128;
constexpr int n1_stride = 64;
constexpr int igp_block = 4;
constexpr int threads = ig_stride * igp_block;

__global__ void __launch_bounds__(threads, 2)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  if (igp < problem.ngpown) {
    for (int ig = threadIdx.x; ig < problem.ncouls; ig += ig_stride) {
      const Complex wtilde = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
      const double vcoul = problem.vcoul_loc(igp);
      for (int n1 = blockIdx.y; n1 < problem.nbands; n1 += n1_stride) {
        const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
        sums.asx -= vcoul * occ * term.ssx * m;
        sums.ach += vcoul * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums sc19_9_strided(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ngpown, igp_block), n1_stride);
  const dim3 block(ig_stride, igp_block);
  return sum_each_frequency(kernel, {grid, block}, problem);
}
GPP_VARIANT(sc19_9_strided);

}  // namespace gpp::cuda
