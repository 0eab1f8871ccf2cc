// v12, real_poles: if every wtilde is real, the algebra becomes simpler again.
//
// Only two of the four sums over m remain, and the squares in their denominators vanish
// (gpp/forms/real_poles.h). BerkeleyGW's default mode gives such inputs; others use v11. Half as
// many sums leave registers for more G' and frequencies per share (share.h), which share m and the
// loads of a band. So little arithmetic is left that these matter.
//
// Operations: real_poles; m once.

#include "gpp/forms/real_poles.h"
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
  RealPole<Lanes> pole[depth];
  RealPoleSums<Lanes> over_bands[depth][nfreq]{};
  for (int k = 0; k < depth; ++k) pole[k] = make_real_pole(share.wtilde(k), limits);

  share.for_each_m(problem.occupied_bands, [&](int k, int iw, ComplexLanes m, Lanes x) {
    add_resonant(over_bands[k][iw], pole[k], m, x);
    add_antiresonant(over_bands[k][iw], pole[k], m, x);
  });
  Sums sums{};
  for (int k = 0; k < depth; ++k) {
    const bool tiny = any(is_tiny(share.wtilde(k), limits));
    for (int iw = 0; iw < nfreq; ++iw) {
      if (tiny) over_bands[k][iw] = {};  // bands of a tiny pole are summed one by one
      const auto ssx = real_pole_ssx(share.wtilde(k), share.I_eps(k), over_bands[k][iw]);
      sums.asx[iw] -= share.vcoul(k) * total(ssx);
    }
  }

  share.for_each_m(problem.empty_bands, [&](int k, int iw, ComplexLanes m, Lanes x) {
    add_resonant(over_bands[k][iw], pole[k], m, x);
  });
  for (int k = 0; k < depth; ++k) {
    for (int iw = 0; iw < nfreq; ++iw) {
      const auto sch = real_pole_sch(share.wtilde(k), share.I_eps(k), over_bands[k][iw]);
      sums.ach[iw] += share.vcoul(k) * 0.5 * total(sch);
    }
  }
  return sums;
}

}  // namespace

Sums real_poles(const FactoredProblem& problem) {
  if (!problem.real_poles) return factored(problem);
  Sums sums = sum_term_by_term(problem);
  sums +=
      sum_shares<RealPoleSums<Lanes>>(problem, [](const auto& share) { return sum_share(share); });
  return sums;
}
GPP_VARIANT(real_poles);

}  // namespace gpp::omp
