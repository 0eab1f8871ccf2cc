// Which empty bands become moments (step v13, gpp/forms/moments.h), in which groups.
#pragma once

#include "gpp/band_groups.h"

namespace gpp {

/// The numbers of moments that there are kernels for.
inline constexpr int lowest_moment_rank = 4;
inline constexpr int highest_moment_rank = 6;

/// The largest error of the series with `rank` moments, as a share of its first term. `u` is h w of
/// gpp/forms/moments.h, in [0, 1).
double truncation(double u, int rank);

/// A choice of groups.
struct MomentPlan : BandGroups {
  int rank = 0;  ///< 0: no group is safe, or none pays
};

/// Chooses rank and groups, so that the error stays below 1e-12 of what the checker scales by: it
/// judges by the distribution of the poles, and takes the cheapest plan of those that are safe.
/// Needs the problem's empty bands, wx and poles, in host memory.
MomentPlan plan_moments(const FactoredProblem& problem);

/// The cost of the problem's moments and of the empty bands left to v12, for each pair of G and G':
/// in units of a moment of one band, as measured on an H200.
double cost_of_moments(const FactoredProblem& problem);

}  // namespace gpp
