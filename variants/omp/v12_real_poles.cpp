// v12, real_poles: where every wtilde is real, the algebra collapses once more.
//
// Two sums over m are left of the four, and the squares in their denominators vanish
// (gpp/forms/real_poles.h). BerkeleyGW's default mode gives such inputs; any other takes v11's way.

#include "gpp/forms/real_poles.h"
#include "gpp/variant.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {

Sums factored(const Problem& problem);  // v11

namespace {

/// sum ssx m and sum sch m over all bands, at `lanes` neighbouring ig.
Term<Lanes> sum_bands(const Problem& problem, int ig, int igp, int iw) {
  const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp);
  const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp);
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  const auto pole = make_real_pole(wtilde, limits);

  Term<Lanes> sum = sum_term_by_term(problem, problem.exceptional_bands, ig, igp, iw);
  RealPoleSums<Lanes> empty{};
  for (int i = 0; i < problem.empty_bands.size; ++i) {
    const int n1 = problem.empty_bands(i);
    const Lanes x = problem.wx_array_t(n1, iw);
    add_resonant(empty, pole, load_m(problem, ig, igp, n1), x);
  }
  sum.sch += real_pole_sch(wtilde, I_eps, empty);

  if (any(is_tiny(wtilde, limits))) {
    const Term<Lanes> rest = sum_term_by_term(problem, problem.occupied_bands, ig, igp, iw);
    return {sum.sch + rest.sch, sum.ssx + rest.ssx};
  }
  RealPoleSums<Lanes> occupied{};
  for (int i = 0; i < problem.occupied_bands.size; ++i) {
    const int n1 = problem.occupied_bands(i);
    const Lanes x = problem.wx_array_t(n1, iw);
    add_resonant(occupied, pole, load_m(problem, ig, igp, n1), x);
    add_antiresonant(occupied, pole, load_m(problem, ig, igp, n1), x);
  }
  sum.sch += real_pole_sch(wtilde, I_eps, occupied);
  sum.ssx += real_pole_ssx(wtilde, I_eps, occupied);
  return sum;
}

}  // namespace

Sums real_poles(const Problem& problem) {
  if (!problem.real_poles) return factored(problem);
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    thread_limit(512) reduction(+ : asx, ach)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        for (int ig_in = 0; ig_in < ig_block; ig_in += lanes) {
          const int ig = ig_blk * ig_block + ig_in;
          if (ig >= problem.ncouls) continue;
          const Term<Lanes> sum = sum_bands(problem, ig, igp, iw);
          asx -= problem.vcoul_loc(igp) * total(sum.ssx);
          ach += problem.vcoul_loc(igp) * 0.5 * total(sum.sch);
        }
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}

}  // namespace gpp::omp
