// v12, real_poles: where every wtilde is real, the algebra collapses once more.
//
// Two sums over m are left of the four, and the squares in their denominators vanish
// (gpp/forms/real_poles.h). BerkeleyGW's default mode gives such inputs; any other takes v11's way.
//
// Operations: real_poles; m at every frequency.

#include "gpp/forms/real_poles.h"
#include "gpp/variant.h"
#include "variants/omp/share.h"

namespace gpp::omp {

Sums factored(const FactoredProblem& problem);  // v11

namespace {

/// Asx and ach of one share.
template <class Share>
[[gnu::always_inline]] inline Sums sum_share(const Share& share) {
  constexpr int depth = Share::depth;
  constexpr int nfreq = Share::nfreq;
  const FactoredProblem& problem = share.problem;
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  RealPole<Lanes> pole[depth];
  for (int k = 0; k < depth; ++k)
    pole[k] = make_real_pole(load(problem.wtilde_array, share.ig, share.igp(k)), limits);

  RealPoleSums<Lanes> over_bands[depth][nfreq]{};
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
      const Complex ssx = total(real_pole_ssx(wtilde, I_eps, over_bands[k][iw]));
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
      const Complex sch = total(real_pole_sch(wtilde, I_eps, over_bands[k][iw]));
      sums.ach[share.first_iw + iw] += share.vcoul(k) * 0.5 * sch;
    }
  }
  return sums;
}

}  // namespace

Sums real_poles(const FactoredProblem& problem) {
  if (!problem.real_poles) return factored(problem);
  Sums sums = sum_term_by_term(problem);
  sums += sum_shares(problem, [](const auto& share) { return sum_share(share); });
  return sums;
}

}  // namespace gpp::omp
