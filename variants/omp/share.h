// The share of a thread in the factored steps (v11, v12), and the division of work into shares.
//
// A share is `lanes` neighbouring ig, `depth` igp and `nfreq` frequencies: as many as have sums
// that fit into registers, so that one load of a band serves them all, and one m all frequencies. A
// GPU's thread has one lane, and a team's threads load the bands together (gpu/shares.h).
#pragma once

#include <algorithm>

#include "gpp/factored_problem.h"
#include "gpp/sums.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"
#include "variants/omp/term_by_term.h"

namespace gpp::omp {

/// v11, for every input; v12 calls it for inputs with complex poles.
Sums factored(const FactoredProblem& problem);

}  // namespace gpp::omp

#if defined(GPP_OMP_GPU)
#include "variants/omp/gpu/shares.h"
#else

namespace gpp::omp {

/// One thread's share, and the bands over which it is summed.
template <int nfreq_, int depth_>
struct Share {
  static constexpr int nfreq = nfreq_;
  static constexpr int depth = depth_;
  const FactoredProblem& problem;
  int ig;
  int first_igp;
  int first_iw;

  /// The last igp may be outside of the problem; they use its last column and are not counted.
  int igp(int k) const { return std::min(first_igp + k, problem.ngpown - 1); }
  ComplexLanes wtilde(int k) const { return load(problem.wtilde_array, ig, igp(k)); }
  ComplexLanes I_eps(int k) const { return load(problem.I_eps_array, ig, igp(k)); }
  double vcoul(int k) const {
    return first_igp + k < problem.ngpown ? problem.vcoul_loc(igp(k)) : 0.0;
  }

  /// Calls add(k, j, m, x) for each band of the list, each igp of the share (k) and each frequency
  /// of it (j), where m = conj(aqsm(igp,n1)) aqsn(ig,n1) and x = wx(iw,n1).
  template <class Add>
  [[gnu::always_inline]] void for_each_m(const Array1<const int>& bands, Add add) const {
    const Complex* aqsm[depth];
    for (int k = 0; k < depth; ++k) aqsm[k] = &problem.aqsmtemp_local_t(0, igp(k));
    for (int i = 0; i < bands.size; ++i) {
      const int n1 = bands(i);
      const ComplexLanes aqsn = load(problem.aqsntemp, ig, n1);
      for (int k = 0; k < depth; ++k) {
        const ComplexLanes m = in_all_lanes(conj(aqsm[k][n1])) * aqsn;
        for (int j = 0; j < nfreq; ++j) add(k, j, m, Lanes(problem.wx_array_t(n1, first_iw + j)));
      }
    }
  }
};

/// Adds up sum_share(share) over the shares of frequencies iw to iw + nfreq - 1.
template <int nfreq, int depth, class SumShare>
void add_shares_of(const FactoredProblem& problem, int iw, SumShare sum_share, Sums& sums) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Complex asx[nfreq]{}, ach[nfreq]{};

#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    num_teams(1) thread_limit(512) reduction(+ : asx, ach)
  for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
    for (int igp = 0; igp < problem.ngpown; igp += depth) {
      for (int ig_in = 0; ig_in < ig_block; ig_in += lanes) {
        const int ig = ig_blk * ig_block + ig_in;
        if (ig >= problem.ncouls) continue;
        const Sums of_share = sum_share(Share<nfreq, depth>{problem, ig, igp, iw});
        for (int j = 0; j < nfreq; ++j) {
          asx[j] += of_share.asx[j];
          ach[j] += of_share.ach[j];
        }
      }
    }
  }
  for (int j = 0; j < nfreq; ++j) {
    sums.asx[iw + j] = asx[j];
    sums.ach[iw + j] = ach[j];
  }
}

/// Adds up sum_share(share) over all shares. `SumsOverBands` is a share's data per igp and
/// frequency. It may use half of the processor's registers; the rest is for arithmetic.
template <class SumsOverBands, class SumShare>
Sums sum_shares(const FactoredProblem& problem, SumShare sum_share) {
  constexpr int room = vector_registers / 2 * sizeof(Lanes) / sizeof(SumsOverBands);
  Sums sums{};
  if (problem.nfreq == 2 && room >= 2)
    add_shares_of<2, std::max(room / 2, 1)>(problem, 0, sum_share, sums);
  else if (problem.nfreq == 3 && room >= 3)
    add_shares_of<3, std::max(room / 3, 1)>(problem, 0, sum_share, sums);
  else
    for (int iw = 0; iw < problem.nfreq; ++iw) add_shares_of<1, room>(problem, iw, sum_share, sums);
  return sums;
}

}  // namespace gpp::omp

#endif  // GPP_OMP_GPU
