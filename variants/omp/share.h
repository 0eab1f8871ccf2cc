// The share of a thread in the factored steps (v11, v12), and how threads share the work.
//
// A share is `lanes` neighbouring ig, `depth` igp and `nfreq` frequencies. A host's thread takes
// one G' and one frequency: more would not fit its registers. A GPU's thread has one lane but many
// registers: it takes several G' and all frequencies, so that one load of a band serves them all,
// and the threads of a team fetch the bands together (gpu/shares.h).
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/sums.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {

/// v11. It takes every input; v12 hands over those whose poles are not all real.
Sums factored(const FactoredProblem& problem);

}  // namespace gpp::omp

#if defined(GPP_OMP_GPU)
#include "variants/omp/gpu/shares.h"
#else

namespace gpp::omp {

/// One thread's share, and the bands it is summed over.
struct Share {
  static constexpr int nfreq = 1;
  static constexpr int depth = 1;
  const FactoredProblem& problem;
  int ig;
  int igp;
  int iw;

  ComplexLanes wtilde(int /*k*/) const { return load(problem.wtilde_array, ig, igp); }
  ComplexLanes I_eps(int /*k*/) const { return load(problem.I_eps_array, ig, igp); }
  double vcoul(int /*k*/) const { return problem.vcoul_loc(igp); }

  /// Calls add(k, j, m, x) for each band of the list, each igp of the share (k) and each of its
  /// frequencies (j), where m = conj(aqsm(igp,n1)) aqsn(ig,n1) and x = wx(iw,n1).
  template <class Add>
  void for_each_m(const Array1<const int>& bands, Add add) const {
    for (int i = 0; i < bands.size; ++i) {
      const int n1 = bands(i);
      add(0, 0, load_m(problem, ig, igp, n1), Lanes(problem.wx_array_t(n1, iw)));
    }
  }
};

/// Adds up sum_share(share) over all shares.
template <class SumShare>
Sums sum_shares(const FactoredProblem& problem, SumShare sum_share) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Complex asx{}, ach{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    num_teams(1) thread_limit(512) reduction(+ : asx, ach)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        for (int ig_in = 0; ig_in < ig_block; ig_in += lanes) {
          const int ig = ig_blk * ig_block + ig_in;
          if (ig >= problem.ncouls) continue;
          const Sums of_share = sum_share(Share{problem, ig, igp, iw});
          asx += of_share.asx[0];
          ach += of_share.ach[0];
        }
      }
    }
    sums.asx[iw] = asx;
    sums.ach[iw] = ach;
  }
  return sums;
}

}  // namespace gpp::omp

#endif  // GPP_OMP_GPU
