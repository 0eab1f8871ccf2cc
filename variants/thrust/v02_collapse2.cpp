// v2, collapse2: one transform and one reduction over the pairs (igp, ig).
//
// The bands become a loop inside the transform. wtilde and I_eps are loaded once for all bands, and
// the number of values to reduce is divided by the number of bands.
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
struct TermsOfPair {
  Problem problem;

  GPP_HOST_DEVICE SumsOf<nfreq> operator()(long long pair) const {
    const int ig = static_cast<int>(pair % problem.ncouls);
    const int igp = static_cast<int>(pair / problem.ncouls);

    const Complex wtilde = problem.wtilde_array(ig, igp);
    const Complex I_eps = problem.I_eps_array(ig, igp);
    const double vcoul = problem.vcoul_loc(igp);
    SumsOf<nfreq> sums{};
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
      const double occ = problem.occ_array(n1);
      for (int iw = 0; iw < nfreq; ++iw) {
        const Term term = divide(wtilde, I_eps, problem.wx_array(iw, n1), problem.limits);
        sums.asx[iw] -= vcoul * occ * term.ssx * m;
        sums.ach[iw] += vcoul * 0.5 * term.sch * m;
      }
    }
    return sums;
  }
};

template <int nfreq>
Sums sum(const Problem& problem) {
  const long long pairs = 1LL * problem.ngpown * problem.ncouls;
  const thrust::counting_iterator<long long> first(0);
  const SumsOf<nfreq> sums = thrust::transform_reduce(
      thrust::device, first, first + pairs, TermsOfPair<nfreq>{problem}, SumsOf<nfreq>{}, Plus{});
  return all_frequencies(sums);
}

}  // namespace

Sums collapse2(const Problem& problem) {
  if (problem.nfreq == 1) return sum<1>(problem);
  if (problem.nfreq == 2) return sum<2>(problem);
  return sum<3>(problem);
}
GPP_VARIANT(collapse2);

}  // namespace GPP_THRUST_NAMESPACE
