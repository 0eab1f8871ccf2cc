// v6, simplify: what does not depend on n1 leaves the loop over n1.
//
// The squares of wtilde, Omega2 and the cutoff are computed once per (ig, igp), vcoul is applied
// once, and the branch that only stores zeros goes (gpp/forms/simplified.h).
//
// Operations: simplified; m at every frequency.

#include "gpp/forms/simplified.h"
#include "gpp/variant.h"
#include "variants/omp/reduction.h"

namespace gpp::omp {
namespace {

/// sum ssx m and sum sch m over all bands.
Term<double> sum_bands(const Problem& problem, int ig, int igp, int iw) {
  const Pole pole =
      make_pole(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp), problem.limits);
  Term<double> sum{};
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
    const Term term = simplified(pole, problem.wx_array_t(n1, iw), problem.limits);
    sum.ssx += problem.occ_array(n1) * term.ssx * m;
    sum.sch += term.sch * m;
  }
  return sum;
}

}  // namespace

Sums simplify(const Problem& problem) {
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(2) firstprivate(problem, iw) \
    thread_limit(512) reduction(+ : asx, ach)
    for (int igp = 0; igp < problem.ngpown; ++igp) {
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Term<double> sum = sum_bands(problem, ig, igp, iw);
        asx -= problem.vcoul_loc(igp) * sum.ssx;
        ach += problem.vcoul_loc(igp) * 0.5 * sum.sch;
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}

}  // namespace gpp::omp
