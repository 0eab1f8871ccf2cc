// Common code of the factored steps (v11, v12): m of neighbouring G, and the sum over the few bands
// that are unsuited to factored sums.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/forms/factored.h"
#include "gpp/sums.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {

/// m = conj(aqsm(igp,n1)) aqsn(ig,n1) at `lanes` neighbouring ig.
inline ComplexLanes load_m(const FactoredProblem& problem, int ig, int igp, int n1) {
  return in_all_lanes(conj(problem.aqsmtemp_local_t(n1, igp))) * load(problem.aqsntemp, ig, n1);
}

/// Adds sum ssx m and sum sch m over `bands`, with cutoff and occupation, at `lanes` neighbouring
/// ig.
inline void add_term_by_term(Term<Lanes>& sum, const FactoredProblem& problem,
                             const Array1<const int>& bands, int ig, int igp, int iw) {
  const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp);
  const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp);
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  for (int i = 0; i < bands.size; ++i) {
    const int n1 = bands(i);
    const ComplexLanes m = load_m(problem, ig, igp, n1);
    const Lanes x = problem.wx_array_t(n1, iw);
    const Term<Lanes> term = gpp::factored(wtilde, I_eps, x, limits);
    sum.sch += term.sch * m;
    sum.ssx += Lanes(problem.occ_array(n1)) * term.ssx * m;
  }
}

/// Subtracts the excess of the factored sum ssx m for occupied bands exactly at a pole.
inline void correct_resonances(Term<Lanes>& sum, const FactoredProblem& problem, int ig, int igp,
                               int iw) {
  const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp);
  const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp);
  for (int i = 0; i < problem.occupied_bands.size; ++i) {
    const int n1 = problem.occupied_bands(i);
    const Lanes x = problem.wx_array_t(n1, iw);
    sum.ssx -= beyond_resonance(wtilde, I_eps, x) * load_m(problem, ig, igp, n1);
  }
}

/// True if the occupied bands are summed term by term at this ig, because it or a neighbour in its
/// vector has a tiny pole.
inline bool is_summed_by_term(const FactoredProblem& problem, int ig, int igp) {
  const ComplexLanes wtilde = load(problem.wtilde_array, ig / lanes * lanes, igp);
  return any(is_tiny(wtilde, in_all_lanes(problem.limits)));
}

/// Sums the terms that the factored sums leave out: the exceptional bands at every pole, and the
/// occupied bands at `lanes` neighbouring poles if one is tiny (is_tiny). Subtracts the terms
/// counted too often: occupied bands exactly at a pole. Real inputs have few of these.
inline Sums sum_term_by_term(const FactoredProblem& problem) {
  Sums sums{};
  if (problem.factored_sums_suffice()) return sums;
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    thread_limit(512) reduction(+ : asx, ach)
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ig += lanes) {
        Term<Lanes> sum{};
        add_term_by_term(sum, problem, problem.exceptional_bands, ig, igp, iw);
        if (is_summed_by_term(problem, ig, igp))
          add_term_by_term(sum, problem, problem.occupied_bands, ig, igp, iw);
        else if (problem.resonant_poles)
          correct_resonances(sum, problem, ig, igp, iw);
        asx -= problem.vcoul_loc(igp) * total(sum.ssx);
        ach += problem.vcoul_loc(igp) * 0.5 * total(sum.sch);
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}

}  // namespace gpp::omp
