// The second of three ideas between v9 and v11: a host's thread processes neighbouring ig together.
//
// The loops over bands have no branches now, so each ig can be a vector lane, and the next band is
// the next row of aqsn. A GPU's thread has one lane. If a processor has an instruction for
// approximate reciprocals, the lanes start from it (lanes.h).
//
// Made from between_11a_algebra.
// Operations: factored; m at every frequency.

#include "gpp/forms/factored.h"
#include "gpp/variant.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {

Sums between_11e_lanes(const FactoredProblem& problem) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums = sum_term_by_term(problem);
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    thread_limit(768) dist_schedule(static) reduction(+ : asx, ach)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        for (int ig_in = 0; ig_in < ig_block; ig_in += lanes) {
          const int ig = ig_blk * ig_block + ig_in;
          if (ig >= problem.ncouls) continue;
          const ComplexLanes wtilde = load(problem.wtilde_array, ig, igp);
          const ComplexLanes I_eps = load(problem.I_eps_array, ig, igp);
          const FactoredPole pole = make_factored_pole(wtilde, in_all_lanes(problem.limits));
          FactoredSums<Lanes> over_bands{};
          for (int i = 0; i < problem.occupied_bands.size; ++i) {
            const int n1 = problem.occupied_bands(i);
            const ComplexLanes m = load_m(problem, ig, igp, n1);
            const Lanes x = problem.wx_array_t(n1, iw);
            add_resonant(over_bands, pole, m, x);
            add_antiresonant(over_bands, pole, m, x);
          }
          if (is_summed_by_term(problem, ig, igp)) over_bands = {};
          asx -= problem.vcoul_loc(igp) * total(factored_ssx(wtilde, I_eps, over_bands));
          for (int i = 0; i < problem.empty_bands.size; ++i) {
            const int n1 = problem.empty_bands(i);
            const ComplexLanes m = load_m(problem, ig, igp, n1);
            const Lanes x = problem.wx_array_t(n1, iw);
            add_resonant(over_bands, pole, m, x);
          }
          ach += problem.vcoul_loc(igp) * 0.5 * total(factored_sch(wtilde, I_eps, over_bands));
        }
      }
    }
    sums.asx[iw] += asx;
    sums.ach[iw] += ach;
  }
  return sums;
}
GPP_VARIANT(between_11e_lanes);

}  // namespace gpp::omp
