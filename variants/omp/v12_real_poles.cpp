// v12, real_poles: where every wtilde is real, the algebra collapses once more.
//
// Two sums over m are left of the four, and the squares in their denominators vanish
// (gpp/forms/real_poles.h). BerkeleyGW's default mode gives such inputs; any other takes v11's way.
// Fewer sums leave a GPU's thread registers for four G'.

#include <algorithm>

#include "gpp/forms/real_poles.h"
#include "gpp/variant.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"
#include "variants/omp/share.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {

Sums factored(const Problem& problem);  // v11

namespace {

/// igp of a thread: as many as the sums leave registers for.
template <int nfreq>
constexpr int depth = on_gpu ? (nfreq < 3 ? 4 : 2) : 1;

/// What one band gives to a thread.
template <int nfreq>
struct Band {
  ComplexLanes aqsn;
  Complex aqsm[depth<nfreq>];
  double x[nfreq];
};

template <int nfreq>
Band<nfreq> load_band(const Problem& problem, int ig, int first_igp, int first_iw, int n1) {
  Band<nfreq> band;
  band.aqsn = load(problem.aqsntemp, ig, n1);
  for (int k = 0; k < depth<nfreq>; ++k)
    band.aqsm[k] = problem.aqsmtemp_local_t(n1, std::min(first_igp + k, problem.ngpown - 1));
  for (int iw = 0; iw < nfreq; ++iw) band.x[iw] = problem.wx_array_t(n1, first_iw + iw);
  return band;
}

/// Calls body(band) for each band of the list. A GPU's thread would wait for the band's number
/// first, and for its data then: it asks for the next one before the body. A host's core looks
/// ahead itself.
template <int nfreq, class Body>
void for_bands(const Problem& problem, const Array1<const int>& bands, int ig, int first_igp,
               int first_iw, Body body) {
  const auto load_nth = [&](int i) {
    return load_band<nfreq>(problem, ig, first_igp, first_iw, bands(i));
  };
  const int last = bands.size - 1;
  if constexpr (on_gpu) {
    Band<nfreq> next{};
    if (last >= 0) next = load_nth(0);
    for (int i = 0; i <= last; ++i) {
      const Band<nfreq> band = next;
      next = load_nth(std::min(i + 1, last));
      body(band);
    }
  } else {
    for (int i = 0; i <= last; ++i) body(load_nth(i));
  }
}

/// Asx and ach of `lanes` neighbouring ig, `depth<nfreq>` igp and `nfreq` frequencies.
template <int nfreq>
Sums sum_share(const Problem& problem, int ig, int first_igp, int first_iw) {
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  const auto igp = [&](int k) { return std::min(first_igp + k, problem.ngpown - 1); };
  RealPole<Lanes> pole[depth<nfreq>];
  for (int k = 0; k < depth<nfreq>; ++k)
    pole[k] = make_real_pole(load(problem.wtilde_array, ig, igp(k)), limits);

  RealPoleSums<Lanes> empty[depth<nfreq>][nfreq]{};
  for_bands<nfreq>(problem, problem.empty_bands, ig, first_igp, first_iw,
                   [&](const Band<nfreq>& band) {
                     for (int k = 0; k < depth<nfreq>; ++k) {
                       const ComplexLanes m = in_all_lanes(conj(band.aqsm[k])) * band.aqsn;
                       for (int iw = 0; iw < nfreq; ++iw)
                         add_resonant(empty[k][iw], pole[k], m, Lanes(band.x[iw]));
                     }
                   });
  RealPoleSums<Lanes> occupied[depth<nfreq>][nfreq]{};
  for_bands<nfreq>(problem, problem.occupied_bands, ig, first_igp, first_iw,
                   [&](const Band<nfreq>& band) {
                     for (int k = 0; k < depth<nfreq>; ++k) {
                       const ComplexLanes m = in_all_lanes(conj(band.aqsm[k])) * band.aqsn;
                       for (int iw = 0; iw < nfreq; ++iw) {
                         add_resonant(occupied[k][iw], pole[k], m, Lanes(band.x[iw]));
                         add_antiresonant(occupied[k][iw], pole[k], m, Lanes(band.x[iw]));
                       }
                     }
                   });

  Sums sums{};
  for (int k = 0; k < depth<nfreq> && first_igp + k < problem.ngpown; ++k) {
    const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp(k));
    const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp(k));
    const bool tiny = any(is_tiny(wtilde, limits));
    for (int iw = 0; iw < nfreq; ++iw) {
      Term<Lanes> sum =
          sum_term_by_term(problem, problem.exceptional_bands, ig, igp(k), first_iw + iw);
      sum.sch += real_pole_sch(wtilde, I_eps, empty[k][iw]);
      if (tiny) {
        const Term<Lanes> rest =
            sum_term_by_term(problem, problem.occupied_bands, ig, igp(k), first_iw + iw);
        sum.sch += rest.sch;
        sum.ssx += rest.ssx;
      } else {
        sum.sch += real_pole_sch(wtilde, I_eps, occupied[k][iw]);
        sum.ssx += real_pole_ssx(wtilde, I_eps, occupied[k][iw]);
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
    thread_limit(512) reduction(+ : sums)
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

Sums real_poles(const Problem& problem) {
  if (!problem.real_poles) return factored(problem);
  Sums sums{};
  for_frequencies(problem.nfreq,
                  [&](auto count, int first) { sums += sum_frequencies<count()>(problem, first); });
  return sums;
}

}  // namespace gpp::omp
