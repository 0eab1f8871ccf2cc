// v11, factored: what depends on (ig, igp) alone is factored out of the sums over bands.
//
// The loop over n1 only adds up four sums over m (gpp/forms/factored.h); wtilde, I_eps and vcoul
// are applied to the sums. Empty bands need two of the four. Exceptional bands, where the cutoff or
// an occupation of 1/2 matters, are few and summed term by term. No branch is left in the loops
// that count, so neighbouring G go through them side by side: a thread takes `lanes` of them at
// once, and on a GPU two G' and all frequencies (share.h).

#include <algorithm>

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"
#include "variants/omp/share.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {
namespace {

/// igp of a thread: as many as the sums leave registers for.
template <int nfreq>
constexpr int depth = on_gpu&& nfreq < 3 ? 2 : 1;

/// On a GPU: few teams with much to do each, for starting and adding up one costs. A host has one.
constexpr int teams = on_gpu ? 1056 : 1;

/// Asx and ach of `lanes` neighbouring ig, `depth<nfreq>` igp and `nfreq` frequencies.
template <int nfreq>
Sums sum_share(const Problem& problem, int ig, int first_igp, int first_iw) {
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  const auto igp = [&](int k) { return std::min(first_igp + k, problem.ngpown - 1); };
  FactoredPole<Lanes> pole[depth<nfreq>];
  for (int k = 0; k < depth<nfreq>; ++k)
    pole[k] = make_factored_pole(load(problem.wtilde_array, ig, igp(k)), limits);

  FactoredSums<Lanes> empty[depth<nfreq>][nfreq]{};
  GPP_SEVERAL_BANDS_AT_A_TIME
  for (int i = 0; i < problem.empty_bands.size; ++i) {
    const int n1 = problem.empty_bands(i);
    for (int k = 0; k < depth<nfreq>; ++k) {
      const ComplexLanes m = load_m(problem, ig, igp(k), n1);
      for (int iw = 0; iw < nfreq; ++iw)
        add_resonant(empty[k][iw], pole[k], m, Lanes(problem.wx_array_t(n1, first_iw + iw)));
    }
  }
  FactoredSums<Lanes> occupied[depth<nfreq>][nfreq]{};
  GPP_SEVERAL_BANDS_AT_A_TIME
  for (int i = 0; i < problem.occupied_bands.size; ++i) {
    const int n1 = problem.occupied_bands(i);
    for (int k = 0; k < depth<nfreq>; ++k) {
      const ComplexLanes m = load_m(problem, ig, igp(k), n1);
      for (int iw = 0; iw < nfreq; ++iw) {
        const Lanes x = problem.wx_array_t(n1, first_iw + iw);
        add_resonant(occupied[k][iw], pole[k], m, x);
        add_antiresonant(occupied[k][iw], pole[k], m, x);
      }
    }
  }

  Sums sums{};
  for (int k = 0; k < depth<nfreq> && first_igp + k < problem.ngpown; ++k) {
    const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp(k));
    const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp(k));
    const bool tiny = any(is_tiny(wtilde, limits));
    for (int iw = 0; iw < nfreq; ++iw) {
      Term<Lanes> sum =
          sum_term_by_term(problem, problem.exceptional_bands, ig, igp(k), first_iw + iw);
      sum.sch += factored_sch(wtilde, I_eps, empty[k][iw]);
      if (tiny) {
        const Term<Lanes> rest =
            sum_term_by_term(problem, problem.occupied_bands, ig, igp(k), first_iw + iw);
        sum.sch += rest.sch;
        sum.ssx += rest.ssx;
      } else {
        sum.sch += factored_sch(wtilde, I_eps, occupied[k][iw]);
        sum.ssx += factored_ssx(wtilde, I_eps, occupied[k][iw]);
      }
      sums.asx[first_iw + iw] -= problem.vcoul_loc(igp(k)) * total(sum.ssx);
      sums.ach[first_iw + iw] += problem.vcoul_loc(igp(k)) * 0.5 * total(sum.sch);
    }
  }
  return sums;
}

template <int nfreq>
Sums sum_frequencies(const Problem& problem, int first_iw) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, first_iw) \
    num_teams(teams) thread_limit(512) reduction(+ : sums)
  for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
    for (int igp = 0; igp < problem.ngpown; igp += depth<nfreq>) {
      for (int ig_in = 0; ig_in < ig_block; ig_in += lanes) {
        const int ig = ig_blk * ig_block + ig_in;
        if (ig < problem.ncouls) sums += sum_share<nfreq>(problem, ig, igp, first_iw);
      }
    }
  }
  return sums;
}

}  // namespace

Sums factored(const Problem& problem) {
  Sums sums{};
  for_frequencies(problem.nfreq,
                  [&](auto count, int first) { sums += sum_frequencies<count()>(problem, first); });
  return sums;
}

}  // namespace gpp::omp
