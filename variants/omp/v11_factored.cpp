// v11, factored: all that depends only on (ig, igp) is factored out of the sums over bands.
//
// Three ideas, one after the other: the algebra (ladders/between_11a_algebra.cpp), neighbouring ig
// as vector lanes (ladders/between_11e_lanes.cpp), and here shares: as many igp and frequencies as
// have sums that fit into registers (share.h). On a GPU a thread has one lane, and its team loads
// the bands into its own memory.
//
// Made from between_11e_lanes.
// Operations: factored; m once.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/omp/share.h"

namespace gpp::omp {
namespace {

/// Asx and ach of one share.
template <class Share>
[[gnu::always_inline]] inline Sums sum_share(const Share& share) {
  constexpr int depth = Share::depth;
  constexpr int nfreq = Share::nfreq;
  const FactoredProblem& problem = share.problem;
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  FactoredPole<Lanes> pole[depth];
  FactoredSums<Lanes> over_bands[depth][nfreq]{};
  for (int k = 0; k < depth; ++k) pole[k] = make_factored_pole(share.wtilde(k), limits);

  share.for_each_m(problem.occupied_bands, [&](int k, int iw, ComplexLanes m, Lanes x) {
    add_resonant(over_bands[k][iw], pole[k], m, x);
    add_antiresonant(over_bands[k][iw], pole[k], m, x);
  });
  Sums sums{};
  for (int k = 0; k < depth; ++k) {
    const bool tiny = any(is_tiny(share.wtilde(k), limits));
    for (int iw = 0; iw < nfreq; ++iw) {
      if (tiny) over_bands[k][iw] = {};  // bands of a tiny pole are summed one by one
      const auto ssx = factored_ssx(share.wtilde(k), share.I_eps(k), over_bands[k][iw]);
      sums.asx[iw] -= share.vcoul(k) * total(ssx);
    }
  }

  share.for_each_m(problem.empty_bands, [&](int k, int iw, ComplexLanes m, Lanes x) {
    add_resonant(over_bands[k][iw], pole[k], m, x);
  });
  for (int k = 0; k < depth; ++k) {
    for (int iw = 0; iw < nfreq; ++iw) {
      const auto sch = factored_sch(share.wtilde(k), share.I_eps(k), over_bands[k][iw]);
      sums.ach[iw] += share.vcoul(k) * 0.5 * total(sch);
    }
  }
  return sums;
}

}  // namespace

Sums factored(const FactoredProblem& problem) {
  Sums sums = sum_term_by_term(problem);
  sums +=
      sum_shares<FactoredSums<Lanes>>(problem, [](const auto& share) { return sum_share(share); });
  return sums;
}
GPP_VARIANT(factored);

}  // namespace gpp::omp
