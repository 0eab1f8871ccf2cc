// v1, collapse3: one transform and one reduction over every triple (n1, igp, ig).
//
// The problem in Thrust's terms: count through all triples, convert each into its terms, add them
// up. Thrust decides how to divide that among a machine's threads, so the same source runs on a GPU
// and on host threads.
//
// Operations: divide; m once.

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include "gpp/forms/divide.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/thrust/plus.h"

namespace GPP_THRUST_NAMESPACE {
namespace {

using namespace gpp;

template <int nfreq>
struct TermsOfTriple {
  Problem problem;

  GPP_HOST_DEVICE SumsOf<nfreq> operator()(long long triple) const {
    const int ig = static_cast<int>(triple % problem.ncouls);
    const long long rest = triple / problem.ncouls;
    const int igp = static_cast<int>(rest % problem.ngpown);
    const int n1 = static_cast<int>(rest / problem.ngpown);

    const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
    const double vcoul = problem.vcoul_loc(igp);
    const double occ = problem.occ_array(n1);
    SumsOf<nfreq> sums{};
    for (int iw = 0; iw < nfreq; ++iw) {
      const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                               problem.wx_array(iw, n1), problem.limits);
      sums.asx[iw] -= vcoul * occ * term.ssx * m;
      sums.ach[iw] += vcoul * 0.5 * term.sch * m;
    }
    return sums;
  }
};

template <int nfreq>
Sums sum(const Problem& problem) {
  const long long triples = 1LL * problem.nbands * problem.ngpown * problem.ncouls;
  const thrust::counting_iterator<long long> first(0);
  const SumsOf<nfreq> sums =
      thrust::transform_reduce(thrust::device, first, first + triples,
                               TermsOfTriple<nfreq>{problem}, SumsOf<nfreq>{}, Plus{});
  return all_frequencies(sums);
}

}  // namespace

Sums collapse3(const Problem& problem) {
  if (problem.nfreq == 1) return sum<1>(problem);
  if (problem.nfreq == 2) return sum<2>(problem);
  return sum<3>(problem);
}
GPP_VARIANT(collapse3);

}  // namespace GPP_THRUST_NAMESPACE
