// Chooses the empty bands and groups for moments (step v13, gpp/forms/moments.h).
#pragma once

#include "gpp/band_groups.h"

namespace gpp {

/// The range of moment numbers for which kernels exist.
inline constexpr int lowest_moment_rank = 4;
inline constexpr int highest_moment_rank = 6;

/// The largest error of the series with `rank` moments, relative to its first term. `u` is h w of
/// gpp/forms/moments.h, in [0, 1).
double truncation(double u, int rank);

/// A choice of groups and of the number of moments.
struct MomentPlan : BandGroups {
  int rank = 0;  ///< 0: no group is safe and worthwhile
};

/// Chooses rank and groups. Of the plans whose error, by the distribution of the poles, stays below
/// 1e-12 of the checker's scale, it takes the cheapest. Needs the problem's empty bands, wx and
/// poles in host memory.
MomentPlan plan_moments(const FactoredProblem& problem);

/// The cost per pair of G and G' of the problem's moments and of the empty bands left to v12, in
/// units of one band's moment, as measured on an H200.
double cost_of_moments(const FactoredProblem& problem);

}  // namespace gpp
