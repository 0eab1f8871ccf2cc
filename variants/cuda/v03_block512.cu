// v3, block512: 512 threads per block instead of 128.
//
// A block of this size fits into a multiprocessor's 65536 registers only if a thread takes at
// most 128. __launch_bounds__ makes the compiler obey this limit and spill registers if it needs
// more.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 512;

template <int nfreq>
__global__ void __launch_bounds__(threads) kernel(Problem problem, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  const long long pairs = 1LL * problem.ngpown * problem.ncouls;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += stride) {
    const int ig = i % problem.ncouls;
    const int igp = i / problem.ncouls;
    const Complex wtilde = problem.wtilde_array(ig, igp);
    const Complex I_eps = problem.I_eps_array(ig, igp);
    const double vcoul = problem.vcoul_loc(igp);
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
      const double occ = problem.occ_array(n1);
      for (int iw = 0; iw < nfreq; ++iw) {
        const Term term = divide(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
        sums.asx[iw] -= vcoul * occ * term.ssx * m;
        sums.ach[iw] += vcoul * 0.5 * term.sch * m;
      }
    }
  }
  store_block_sum(sums, partial);
}

template <int nfreq>
Sums sum(const Problem& problem) {
  const long long pairs = 1LL * problem.ngpown * problem.ncouls;
  const dim3 grid(std::min(blocks_for(pairs, threads), max_blocks));
  BlockSums<SumsOf<nfreq>> partial(grid);
  launch(kernel<nfreq>, {grid, threads}, problem, partial.data());
  return all_frequencies(partial.total());
}

}  // namespace

Sums block512(const Problem& problem) {
  if (problem.nfreq == 1) return sum<1>(problem);
  if (problem.nfreq == 2) return sum<2>(problem);
  return sum<3>(problem);
}
GPP_VARIANT(block512);

}  // namespace gpp::cuda
