// Which empty bands become moments (step v13, gpp/forms/moments.h), in which groups.
#pragma once

#include <vector>

#include "gpp/factored_problem.h"

namespace gpp {

/// The numbers of moments that there are kernels for.
inline constexpr int lowest_moment_rank = 4;
inline constexpr int highest_moment_rank = 6;

/// Bands of a group are filled up to a multiple of this: what an instruction of the tensor cores
/// sums over.
inline constexpr int moment_step = 16;

/// The largest error of the series with `rank` moments, as a share of its first term. `u` is h w of
/// gpp/forms/moments.h, in [0, 1).
double truncation(double u, int rank);

/// A choice of groups. They go from the bands next to the poles to those farthest away.
struct MomentPlan {
  int rank = 0;  ///< 0: no group is safe, or none pays
  std::vector<MomentGroup> groups;
  std::vector<MomentBand> bands;  ///< of group after group, filled up
  std::vector<int> other_bands;   ///< empty bands of no group, ascending
};

/// Chooses rank and groups, so that the error stays below 1e-12 of what the checker scales by: it
/// judges by the distribution of the poles, and takes the cheapest plan of those that are safe.
/// Needs the problem's empty bands, wx and poles, in host memory.
MomentPlan plan_moments(const FactoredProblem& problem);

}  // namespace gpp
