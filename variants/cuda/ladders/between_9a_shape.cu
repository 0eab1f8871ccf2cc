// The first of three ideas between v8 and v9: the shape of a block.
//
// A block has 32 ig and 16 igp instead of 512 ig. Its igp share aqsn in L1, and concurrent blocks,
// which are neighbours in igp, read the same 32 rows of it.
//
// Made from v8_power2.
// Operations: power2; m at every frequency.

#include "gpp/forms/power2.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int ig_block = 32;
constexpr int igp_block = 16;
constexpr int block_threads = ig_block * igp_block;
constexpr int resident_blocks = 2;

__global__ void __launch_bounds__(block_threads, resident_blocks)
    kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const int ig = blockIdx.y * ig_block + threadIdx.x;
  const int igp = blockIdx.x * igp_block + threadIdx.y;
  if (ig < problem.ncouls && igp < problem.ngpown) {
    const Complex wtilde = problem.wtilde_array(ig, igp);
    const Complex I_eps = problem.I_eps_array(ig, igp);
    const Pole pole = make_squared_pole(wtilde, I_eps, problem.limits);
    const double vcoul = problem.vcoul_loc(igp);
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
      const double occ = problem.occ_array(n1);
      const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);
      sums.asx -= vcoul * occ * term.ssx * m;
      sums.ach += vcoul * 0.5 * term.sch * m;
    }
  }
  store_block_sum(sums, partial);
}

}  // namespace

Sums between_9a_shape(const Problem& problem) {
  const dim3 grid(blocks_for(problem.ngpown, igp_block), blocks_for(problem.ncouls, ig_block));
  const dim3 block(ig_block, igp_block);
  return sum_each_frequency(kernel, {grid, block}, problem);
}
GPP_VARIANT(between_9a_shape);

}  // namespace gpp::cuda
