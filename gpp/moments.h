// Divides the empty bands into groups, each represented by a series (steps v13 and v14), and
// chooses those for moments (step v13, gpp/forms/moments.h).
#pragma once

#include <vector>

#include "gpp/factored_problem.h"

namespace gpp {

/// The bands of a group are padded to a multiple of this number, which one instruction of the
/// tensor cores sums.
inline constexpr int moment_step = 16;

/// Groups of bands, ordered from those near the poles to those far away.
struct BandGroups {
  std::vector<MomentGroup> groups;
  std::vector<MomentBand> bands;  ///< bands of all groups in order, padded
  std::vector<int> other_bands;   ///< empty bands outside groups, ascending
};

/// Consecutive bands, counted from `first` away from the poles.
struct Run {
  int first;
  int bands;
};

/// The empty bands of a problem by distance from the poles. Needs them and wx in host memory.
class EmptyBands {
 public:
  explicit EmptyBands(const FactoredProblem& problem);

  int size() const { return static_cast<int>(bands_.size()); }
  MomentGroup group_of(Run run) const;
  /// Makes one group of each run, in the given order. Other bands are in no group.
  BandGroups make(const std::vector<Run>& runs) const;

 private:
  double x(int iw, int i) const;

  const FactoredProblem& problem_;
  std::vector<int> bands_;  // by falling wx, away from the poles
};

/// True if at every frequency all poles lie above the group, in branch 1.
bool is_clear(const FactoredProblem& problem, const MomentGroup& group);

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
