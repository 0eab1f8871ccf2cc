// How much of the loops around the bands a thread of the factored steps (v11, v12) takes at once,
// and how its threads share the work.
//
// A share is `lanes` neighbouring ig, `depth` igp and `nfreq` frequencies. A host's thread takes
// one G' and one frequency: more would not fit its registers. A GPU's thread has one lane but
// registers in plenty: it takes several G' and all frequencies, so that what it loads of a band
// serves them all; and the threads of a team fetch the bands together (gpu/shares.h).
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/sums.h"
#include "variants/omp/lanes.h"
#include "variants/omp/reduction.h"
#include "variants/omp/term_by_term.h"

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
  int own_igp;
  int first_iw;

  int igp(int /*k*/) const { return own_igp; }
  double vcoul(int /*k*/) const { return problem.vcoul_loc(own_igp); }

  /// What band n1 gives to the share.
  struct Band {
    const Share& share;
    int n1;

    ComplexLanes m(int k) const { return load_m(share.problem, share.ig, share.igp(k), n1); }
    Lanes x(int iw) const { return share.problem.wx_array_t(n1, share.first_iw + iw); }
  };

  /// Calls body(band) for each band of the list.
  template <class Body>
  void for_bands(const Array1<const int>& bands, Body body) const {
    for (int i = 0; i < bands.size; ++i) body(Band{*this, bands(i)});
  }
};

/// Adds up sum_share(share) over all shares.
template <class SumShare>
Sums sum_shares(const FactoredProblem& problem, SumShare sum_share) {
  constexpr int ig_block = 32;
  const int ig_blocks = (problem.ncouls + ig_block - 1) / ig_block;
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
#pragma omp target teams distribute parallel for collapse(3) firstprivate(problem, iw) \
    num_teams(1) thread_limit(512) reduction(+ : sums)
    for (int ig_blk = 0; ig_blk < ig_blocks; ++ig_blk) {
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        for (int ig_in = 0; ig_in < ig_block; ig_in += lanes) {
          const int ig = ig_blk * ig_block + ig_in;
          if (ig < problem.ncouls) sums += sum_share(Share{problem, ig, igp, iw});
        }
      }
    }
  }
  return sums;
}

}  // namespace gpp::omp

#endif  // GPP_OMP_GPU
