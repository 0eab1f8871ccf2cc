// v1, collapse3: all three loops run in parallel.
//
// The maximum parallelism: every (n1, igp, ig) is an iteration, and one index counts them. 65535
// blocks share them, and each thread continues with a stride. Each triple loads wtilde and I_eps
// again for a single band. The arithmetic is that of the definition.
//
// Operations: divide; m once.

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;

template <int nfreq>
__global__ void kernel(Problem problem, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  const long long triples = 1LL * problem.nbands * problem.ngpown * problem.ncouls;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < triples; i += stride) {
    const int ig = i % problem.ncouls;
    const int igp = i / problem.ncouls % problem.ngpown;
    const int n1 = i / problem.ncouls / problem.ngpown;
    const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
    const double vcoul = problem.vcoul_loc(igp);
    const double occ = problem.occ_array(n1);
    for (int iw = 0; iw < nfreq; ++iw) {
      const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                               problem.wx_array(iw, n1), problem.limits);
      sums.asx[iw] -= vcoul * occ * term.ssx * m;
      sums.ach[iw] += vcoul * 0.5 * term.sch * m;
    }
  }
  store_block_sum(sums, partial);
}

template <int nfreq>
Sums sum(const Problem& problem) {
  const long long triples = 1LL * problem.nbands * problem.ngpown * problem.ncouls;
  const dim3 grid(std::min(blocks_for(triples, threads), max_blocks));
  BlockSums<SumsOf<nfreq>> partial(grid);
  launch(kernel<nfreq>, {grid, threads}, problem, partial.data());
  return all_frequencies(partial.total());
}

}  // namespace

Sums collapse3(const Problem& problem) {
  if (problem.nfreq == 1) return sum<1>(problem);
  if (problem.nfreq == 2) return sum<2>(problem);
  return sum<3>(problem);
}
GPP_VARIANT(collapse3);

}  // namespace gpp::cuda
