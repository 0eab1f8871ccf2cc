// The first of three ideas between v9 and v11: the factored form.
//
// All that depends only on (ig, igp) leaves the loop over bands, and so does the branch of ssx:
// only four sums of m over the bands remain (gpp/forms/factored.h). Empty bands need two of them,
// so each class of bands has its own loop. The few terms that the sums cannot hold are summed one
// by one (term_by_term.h).
//
// Made from v9_cache_blocking.
// Operations: factored; m at every frequency.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {

Sums between_11a_algebra(const FactoredProblem& problem) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums = sum_term_by_term(problem);
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    thread_limit(768) dist_schedule(static) reduction(+ : asx, ach)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        for (int ig_in = 0; ig_in < ig_block; ++ig_in) {
          const int ig = ig_blk * ig_block + ig_in;
          if (ig >= problem.ncouls) continue;
          const Complex wtilde = problem.wtilde_array(ig, igp);
          const Complex I_eps = problem.I_eps_array(ig, igp);
          const FactoredPole pole = make_factored_pole(wtilde, problem.limits);
          FactoredSums<double> over_bands{};
          for (int i = 0; i < problem.occupied_bands.size; ++i) {
            const int n1 = problem.occupied_bands(i);
            const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
            const double x = problem.wx_array_t(n1, iw);
            add_resonant(over_bands, pole, m, x);
            add_antiresonant(over_bands, pole, m, x);
          }
          if (is_summed_by_term(problem, ig, igp)) over_bands = {};
          asx -= problem.vcoul_loc(igp) * factored_ssx(wtilde, I_eps, over_bands);
          for (int i = 0; i < problem.empty_bands.size; ++i) {
            const int n1 = problem.empty_bands(i);
            const Complex m = conj(problem.aqsmtemp_local_t(n1, igp)) * problem.aqsntemp(ig, n1);
            const double x = problem.wx_array_t(n1, iw);
            add_resonant(over_bands, pole, m, x);
          }
          ach += problem.vcoul_loc(igp) * 0.5 * factored_sch(wtilde, I_eps, over_bands);
        }
      }
    }
    sums.asx[iw] += asx;
    sums.ach[iw] += ach;
  }
  return sums;
}
GPP_VARIANT(between_11a_algebra);

}  // namespace gpp::omp
