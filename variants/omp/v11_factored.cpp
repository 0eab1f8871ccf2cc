// v11, factored: what depends on (ig, igp) alone is factored out of the sums over bands.
//
// The loop over n1 only adds up four sums over m (gpp/forms/factored.h); wtilde, I_eps and vcoul
// are applied to the sums. Empty bands need two of the four. Exceptional bands, where the cutoff or
// an occupation of 1/2 matters, are few and summed term by term. No branch is left in the loops
// that count, so neighbouring G go through them side by side: a thread takes `lanes` of them at
// once, and on a GPU two G' and all frequencies (share.h).
//
// Operations: factored; m at every frequency.

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
  for (int k = 0; k < depth; ++k)
    pole[k] = make_factored_pole(load(problem.wtilde_array, share.ig, share.igp(k)), limits);

  FactoredSums<Lanes> over_bands[depth][nfreq]{};
  share.for_bands(problem.occupied_bands, [&](const auto& band) {
    for (int k = 0; k < depth; ++k) {
      const ComplexLanes m = band.m(k);
      for (int iw = 0; iw < nfreq; ++iw) {
        add_resonant(over_bands[k][iw], pole[k], m, band.x(iw));
        add_antiresonant(over_bands[k][iw], pole[k], m, band.x(iw));
      }
    }
  });
  Sums sums{};
  for (int k = 0; k < depth; ++k) {
    const ComplexLanes wtilde = load(problem.wtilde_array, share.ig, share.igp(k));
    const ComplexLanes I_eps = load(problem.I_eps_array, share.ig, share.igp(k));
    const bool tiny = any(is_tiny(wtilde, limits));
    for (int iw = 0; iw < nfreq; ++iw) {
      if (tiny) over_bands[k][iw] = {};  // summed term by term
      const Complex ssx = total(factored_ssx(wtilde, I_eps, over_bands[k][iw]));
      sums.asx[share.first_iw + iw] -= share.vcoul(k) * ssx;
    }
  }

  share.for_bands(problem.empty_bands, [&](const auto& band) {
    for (int k = 0; k < depth; ++k) {
      const ComplexLanes m = band.m(k);
      for (int iw = 0; iw < nfreq; ++iw) add_resonant(over_bands[k][iw], pole[k], m, band.x(iw));
    }
  });
  for (int k = 0; k < depth; ++k) {
    const ComplexLanes wtilde = load(problem.wtilde_array, share.ig, share.igp(k));
    const ComplexLanes I_eps = load(problem.I_eps_array, share.ig, share.igp(k));
    for (int iw = 0; iw < nfreq; ++iw) {
      const Complex sch = total(factored_sch(wtilde, I_eps, over_bands[k][iw]));
      sums.ach[share.first_iw + iw] += share.vcoul(k) * 0.5 * sch;
    }
  }
  return sums;
}

}  // namespace

Sums factored(const FactoredProblem& problem) {
  Sums sums = sum_term_by_term(problem);
  sums += sum_shares(problem, [](const auto& share) { return sum_share(share); });
  return sums;
}

}  // namespace gpp::omp
