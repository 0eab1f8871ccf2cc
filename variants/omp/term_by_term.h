// What the factored steps (v11, v12) share: m of neighbouring G, and the sum over the few bands
// that do not fit the factored sums.
#pragma once

#include "gpp/forms/factored.h"
#include "gpp/problem.h"
#include "variants/omp/lanes.h"

namespace gpp::omp {

/// m = conj(aqsm(igp,n1)) aqsn(ig,n1) at `lanes` neighbouring ig.
inline ComplexLanes load_m(const Problem& problem, int ig, int igp, int n1) {
  return in_all_lanes(conj(problem.aqsmtemp_local_t(n1, igp))) * load(problem.aqsntemp, ig, n1);
}

/// sum ssx m and sum sch m over `bands`, with cutoff and occupation, at `lanes` neighbouring ig.
inline Term<Lanes> sum_term_by_term(const Problem& problem, const Array1<const int>& bands, int ig,
                                    int igp, int iw) {
  const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp);
  const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp);
  const BasicLimits<Lanes> limits = in_all_lanes(problem.limits);
  Term<Lanes> sum{};
  for (int i = 0; i < bands.size; ++i) {
    const int n1 = bands(i);
    const ComplexLanes m = load_m(problem, ig, igp, n1);
    const Lanes x = problem.wx_array_t(n1, iw);
    const Term<Lanes> term = gpp::factored(wtilde, I_eps, x, limits);
    sum.sch += term.sch * m;
    sum.ssx += Lanes(problem.occ_array(n1)) * term.ssx * m;
  }
  return sum;
}

}  // namespace gpp::omp
